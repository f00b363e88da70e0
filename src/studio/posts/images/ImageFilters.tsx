'use client'

import { number } from '#ui/format'
import { useAddressParameters } from '#ui/navigation/Navigation'
import { LinkTabs } from '#ui/page/LinkTabs'
import { type ImagesFilter, paths } from '#studio/paths'
import { SearchBox } from '#studio/parts/SearchBox'

interface ImageFiltersProps {
  slug: string
  filter: ImagesFilter
  /** The number of pictures that match the filters. */
  total: number
}

const uses = [
  { label: 'All', used: undefined },
  { label: 'Used', used: 'yes' },
  { label: 'Unused', used: 'no' },
] as const

export function ImageFilters({ slug, filter: answered, total }: ImageFiltersProps) {
  const addressOf = (next: ImagesFilter) => paths.images(slug, { ...next, page: undefined })
  const [{ search, used: shown }, ask] = useAddressParameters(answered, addressOf)
  return (
    <search className="flex grow flex-wrap items-center gap-2">
      <LinkTabs
        label="Use"
        look="segment"
        tabs={uses.map(({ label, used }) => ({
          label,
          href: addressOf({ search, used }),
          current: shown === used,
          count: shown === used ? number(total) : undefined,
        }))}
      />
      <div className="w-full sm:w-60">
        <SearchBox
          label="Find an image"
          placeholder="Search by name or alt text"
          value={search ?? ''}
          onSearch={(next) => ask({ search: next || undefined })}
        />
      </div>
    </search>
  )
}
