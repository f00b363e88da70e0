import { propertyLabel } from '#events/taxonomy'
import type { Filter } from '#filters/filter'
import type { Breakdown } from '#insights/query-fields'
import type { SurveyQuestion } from '#surveys/question'
import type { SurveyResultsPage } from '#surveys/results/results-page'
import { number } from '#ui/format'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Panel } from '#ui/page/Panel'
import { Table } from '#ui/table/Table'
import type { TableColumn } from '#ui/table/column'
import type { ResultsFilter } from './results-filter'
import { currentResults, questionResult } from './question-results'
import { scoreText } from './RatingResult'

type BreakdownParts = NonNullable<SurveyResultsPage['breakdown']>
type Part = BreakdownParts['values'][number]

interface BreakdownPanelProps {
  breakdown: Breakdown
  parts: BreakdownParts
  /** The questions as they are asked now. */
  questions: readonly SurveyQuestion[]
  cohortNames: ReadonlyMap<string, string>
  filter: ResultsFilter
  addressOf: (changed: ResultsFilter) => string
}

/** Responses and scores for each value of a breakdown. */
export function BreakdownPanel({
  breakdown,
  parts,
  questions,
  cohortNames,
  filter: listFilter,
  addressOf,
}: BreakdownPanelProps) {
  const ratings = questions.filter(({ kind }) => kind === 'rating').slice(0, 3)
  const by = breakdown.type === 'cohort' ? 'Cohort' : propertyLabel(breakdown.key)
  return (
    <Panel title={`By ${by.toLowerCase()}`} flush>
      <Table
        caption={`Responses by ${by.toLowerCase()}`}
        columns={columnsFor(by, ratings, cohortNames)}
        rows={parts.values}
        rowKey={({ value, isOthers }) => JSON.stringify([value, isOthers])}
        rowHref={(part) => {
          const narrowed = filterOf(part, breakdown)
          const filter =
            narrowed && listFilter.filter ? { all: [listFilter.filter, narrowed] } : (narrowed ?? undefined)
          return filter && addressOf({ ...listFilter, filter, breakdown: undefined })
        }}
        empty={
          <EmptyMessage
            title="No responses in this period"
            body="Try a longer date range or fewer filters."
          />
        }
        dense
      />
    </Panel>
  )
}

export const partLabel = (
  { value, isOthers }: Pick<Part, 'value' | 'isOthers'>,
  cohortNames: ReadonlyMap<string, string>,
): string => {
  if (isOthers) return 'All others'
  const [first = null] = value
  return first === null ? 'Not set' : (cohortNames.get(first) ?? (first || 'Empty'))
}

/** Undefined where no filter says the same. */
function filterOf({ value, isOthers }: Part, breakdown: Breakdown): Filter | undefined {
  const [first = null] = value
  if (isOthers) return undefined
  if (breakdown.type === 'cohort')
    return first === null ? undefined : { type: 'cohort', cohort: first, operator: 'in' }
  const { bins, ...property } = breakdown
  if (bins !== undefined) return undefined
  return first === null
    ? { ...property, operator: 'is_not_set' }
    : { ...property, operator: 'exact', value: [first] }
}

const columnsFor = (
  by: string,
  ratings: readonly SurveyQuestion[],
  cohortNames: ReadonlyMap<string, string>,
): TableColumn<Part>[] => [
  {
    key: 'value',
    header: by,
    truncate: true,
    cell: (part) => <bdi>{partLabel(part, cohortNames)}</bdi>,
  },
  {
    key: 'responses',
    header: 'Responses',
    numeric: true,
    cell: ({ numbers }) => number(numbers.submissions.responded),
  },
  {
    key: 'completed',
    header: 'Completed',
    numeric: true,
    wideOnly: true,
    cell: ({ numbers }) => number(numbers.submissions.completed),
  },
  ...ratings.map((rating, index): TableColumn<Part> => ({
    key: rating.id,
    header: `${rating.kind === 'rating' && rating.scale === 10 ? 'NPS' : 'CSAT'}${ratings.length > 1 ? ` ${index + 1}` : ''}`,
    numeric: true,
    width: '11rem',
    cell: ({ numbers }) => <PartScore rating={rating} part={numbers} />,
  })),
]

function PartScore({ rating, part }: { rating: SurveyQuestion; part: Part['numbers'] }) {
  const result = questionResult(rating, currentResults(rating, part.questions))
  if (result.shape !== 'rating' || !result.score) return '–'
  const { estimate, unit } = result.score
  return (
    <span className="inline-flex items-baseline justify-end gap-2">
      {scoreText(estimate.value, unit)}
      <span className="text-xs whitespace-nowrap text-muted max-sm:hidden">
        {scoreText(estimate.low, unit)} to {scoreText(estimate.high, unit)}
      </span>
    </span>
  )
}
