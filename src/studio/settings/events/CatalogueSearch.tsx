'use client'

import { useNavigation } from '#ui/navigation/Navigation'
import { type CatalogueFilter, paths } from '#studio/paths'
import { SearchBox } from '#studio/parts/SearchBox'

/** Narrows the catalogue to names that contain a text. */
export function CatalogueSearch({ slug, filter }: { slug: string; filter: CatalogueFilter }) {
  const router = useNavigation()
  const label = filter.show ? 'Find a property' : 'Find an event'
  return (
    <SearchBox
      label={label}
      placeholder={label}
      value={filter.search ?? ''}
      onSearch={(search) =>
        router.replace(paths.catalogue(slug, { ...filter, search: search || undefined }), { scroll: false })
      }
    />
  )
}
