'use client'

import { useNavigation } from '#ui/navigation/Navigation'
import { type CatalogueQuestion, paths } from '#studio/paths'
import { SearchBox } from '#studio/parts/SearchBox'

/** Narrows the catalogue to names that contain a text. */
export function CatalogueSearch({ slug, question }: { slug: string; question: CatalogueQuestion }) {
  const router = useNavigation()
  const label = question.show ? 'Find a property' : 'Find an event'
  return (
    <SearchBox
      label={label}
      placeholder={label}
      value={question.search ?? ''}
      onSearch={(search) =>
        router.replace(paths.catalogue(slug, { ...question, search: search || undefined }), { scroll: false })
      }
    />
  )
}
