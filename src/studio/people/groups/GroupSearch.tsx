'use client'

import { Search } from 'lucide-react'
import { useNavigation } from '#ui/navigation/Navigation'
import { useState } from 'react'
import { Icon } from '#ui/Icon'
import { TextInput } from '#ui/form/TextInput'
import { paths } from '#studio/paths'

export function GroupSearch({
  slug,
  type,
  search,
}: {
  slug: string
  type: string
  search: string | undefined
}) {
  const router = useNavigation()
  const [typed, setTyped] = useState(search ?? '')

  return (
    <search className="w-full sm:w-72">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          router.push(paths.groups(slug, { type, search: typed || undefined }))
        }}
      >
        <TextInput
          type="search"
          aria-label="Search by key or any property"
          placeholder="Key, name or any property"
          icon={<Icon of={Search} />}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </form>
    </search>
  )
}
