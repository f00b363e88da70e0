'use client'

import type { ExperimentProgramme } from '#experiments/programme/experiment-programme'
import { Select } from '#ui/form/Select'
import { LinkButton } from '#ui/LinkButton'
import { useAddressQuestion } from '#ui/navigation/Navigation'
import { PeriodPicker } from '#studio/insights/form/PeriodPicker'
import { SearchBox } from '#studio/parts/SearchBox'
import { paths } from '#studio/paths'
import { programmeInAddress, type ProgrammeQuestion } from './programme-question'

interface ProgrammeFiltersProps {
  slug: string
  question: ProgrammeQuestion
  metrics: ExperimentProgramme['metrics']
  /** The key of the metric that is shown. */
  metric: string | undefined
}

/** The period, the metric and the search of the programme; they stand in the address. */
export function ProgrammeFilters({ slug, question: answered, metrics, metric }: ProgrammeFiltersProps) {
  const addressOf = (next: ProgrammeQuestion) => paths.experimentProgramme(slug, programmeInAddress(next))
  const [question, ask] = useAddressQuestion(answered, addressOf)
  return (
    <search aria-label="Filters" className="flex flex-wrap items-center gap-2">
      <PeriodPicker value={question.period} onChange={(period) => ask({ period })} />
      {metrics.length > 0 && (
        <Select
          aria-label="Metric"
          lead="Metric"
          fit
          options={metrics.map(({ key, name, experiments }) => ({
            value: key,
            label: name,
            hint: experiments === 1 ? '1 experiment' : `${experiments} experiments`,
          }))}
          value={question.metric ?? metric ?? null}
          onChange={(next) => ask({ metric: next })}
        />
      )}
      <div className="w-full sm:w-64">
        <SearchBox
          label="Search learnings"
          placeholder="Search learnings"
          value={question.search ?? ''}
          onSearch={(search) => ask({ search: search || undefined })}
        />
      </div>
      {question.search && (
        <LinkButton href={addressOf({ ...question, search: undefined })} variant="quiet">
          Clear search
        </LinkButton>
      )}
    </search>
  )
}
