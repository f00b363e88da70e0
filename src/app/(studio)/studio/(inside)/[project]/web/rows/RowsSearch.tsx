'use client'

import { Search } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { Icon } from '#ui/Icon'
import { TextInput } from '#ui/form/TextInput'
import { asText } from '#app/(studio)/form-data'
import { paths, type WebSearch } from '#app/paths'

interface RowsSearchProps {
  slug: string
  /** What else the address says. */
  state: WebSearch
  search: string
  plural: string
}

/** Asked for with Enter: each word would be a question to the engine. */
export function RowsSearch({ slug, state, search, plural }: RowsSearchProps) {
  const router = useRouter()
  return (
    <search>
      <form
        className="max-w-sm"
        onSubmit={(event) => {
          event.preventDefault()
          const find = asText(new FormData(event.currentTarget).get('find'))
          router.push(paths.webView(slug, 'rows', find ? [...state, ['find', find]] : state))
        }}
      >
        <TextInput
          type="search"
          name="find"
          aria-label={`Find among ${plural}`}
          placeholder={`Find among ${plural}, then Enter`}
          icon={<Icon of={Search} />}
          defaultValue={search}
        />
      </form>
    </search>
  )
}
