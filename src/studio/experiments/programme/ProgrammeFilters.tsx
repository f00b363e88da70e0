'use client'

import { plural } from '#ui/format'
import type { ExperimentProgramme } from '#experiments/programme/experiment-programme'
import { Select } from '#ui/form/Select'
import { LinkButton } from '#ui/LinkButton'
import { useAddressParameters } from '#ui/navigation/Navigation'
import { PeriodPicker } from '#studio/insights/form/PeriodPicker'
import { SearchBox } from '#studio/parts/SearchBox'
import { paths } from '#studio/paths'
import { programmeInAddress, type ProgrammeFilter } from './programme-filter'

interface ProgrammeFiltersProps {
  slug: string
  filter: ProgrammeFilter
  metrics: ExperimentProgramme['metrics']
  /** The key of the metric that is shown. */
  metric: string | undefined
}

/** The period, the metric and the search of the programme; they stand in the address. */
export function ProgrammeFilters({ slug, filter: answered, metrics, metric }: ProgrammeFiltersProps) {
  const addressOf = (next: ProgrammeFilter) => paths.experimentProgramme(slug, programmeInAddress(next))
  const [filter, ask] = useAddressParameters(answered, addressOf)
  return (
    <search aria-label="Filters" className="flex flex-wrap items-center gap-2">
      <PeriodPicker isOfPage value={filter.period} onChange={(period) => ask({ period })} />
      {metrics.length > 0 && (
        <Select
          aria-label="Metric"
          lead="Metric"
          fit
          options={metrics.map(({ key, name, experiments }) => ({
            value: key,
            label: name,
            hint: plural(experiments, 'experiment'),
          }))}
          value={filter.metric ?? metric ?? null}
          onChange={(next) => ask({ metric: next })}
        />
      )}
      <div className="w-full sm:w-64">
        <SearchBox
          label="Search learnings"
          placeholder="Search learnings"
          value={filter.search ?? ''}
          onSearch={(search) => ask({ search: search || undefined })}
        />
      </div>
      {filter.search && (
        <LinkButton href={addressOf({ ...filter, search: undefined })} variant="quiet">
          Clear search
        </LinkButton>
      )}
    </search>
  )
}
