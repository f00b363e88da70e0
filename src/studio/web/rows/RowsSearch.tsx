'use client'

import { useNavigation } from '#ui/navigation/Navigation'
import { SearchBox } from '#studio/parts/SearchBox'
import { paths, type WebSearch } from '#studio/paths'

interface RowsSearchProps {
  slug: string
  /** The rest of the address. */
  state: WebSearch
  search: string
  plural: string
}

/** Searches the values as they are typed. */
export function RowsSearch({ slug, state, search, plural }: RowsSearchProps) {
  const navigation = useNavigation()
  return (
    <search className="block max-w-sm">
      <SearchBox
        label={`Search ${plural}`}
        placeholder={`Search ${plural}`}
        value={search}
        onSearch={(find) =>
          navigation.replace(paths.webView(slug, 'rows', find ? [...state, ['find', find]] : state), {
            scroll: false,
          })
        }
      />
    </search>
  )
}
