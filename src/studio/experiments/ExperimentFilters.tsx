'use client'

import { useAddressParameters } from '#ui/navigation/Navigation'
import { LinkButton } from '#ui/LinkButton'
import { type ExperimentsFilter, paths } from '#studio/paths'
import { SearchBox } from '#studio/parts/SearchBox'

/** The search of the list; it stands in the address. */
export function ExperimentFilters({ slug, filter: answered }: { slug: string; filter: ExperimentsFilter }) {
  const [filter, ask] = useAddressParameters(answered, (next) => paths.experiments(slug, next))
  return (
    <search className="flex flex-wrap items-center gap-2">
      <div className="w-full sm:w-72">
        <SearchBox
          label="Find an experiment"
          placeholder="Find by name, hypothesis or flag"
          value={filter.search ?? ''}
          onSearch={(search) => ask({ search: search || undefined })}
        />
      </div>
      {filter.search && (
        <LinkButton href={paths.experiments(slug, { status: filter.status })} variant="quiet">
          Clear search
        </LinkButton>
      )}
    </search>
  )
}
