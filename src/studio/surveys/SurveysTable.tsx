import type { SurveyPlacement, SurveyStatus } from '#surveys/survey'
import { number, plural } from '#ui/format'
import { Skeleton } from '#ui/page/Skeleton'
import { Table } from '#ui/table/Table'
import type { TableColumn } from '#ui/table/column'
import { paths } from '#studio/paths'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { placementLabels, statusLabels } from './list-filter'
import { SurveyMenu } from './SurveyMenu'
import { SurveyStatusBadge } from './SurveyStatusBadge'

export interface SurveyRow {
  id: string
  name: string
  description: string
  status: SurveyStatus
  placement: SurveyPlacement['kind']
  questions: number
  changedAt: Date
  figures: ShownFigures | undefined
}

export interface ShownFigures {
  responses: number
  /** Responses among those who saw it; undefined where it was never shown. */
  rate: number | undefined
  /** "NPS 42", where it has such a question and answers. */
  score: string | undefined
}

export interface SurveysTableProps {
  slug: string
  clock: Clock
  rows: readonly SurveyRow[]
  whyNot: string | undefined
  isCounting: boolean
}

export function SurveysTable({ slug, clock, rows, whyNot, isCounting }: SurveysTableProps) {
  return (
    <Table
      caption="Surveys"
      columns={columnsFor(clock, isCounting)}
      rows={rows}
      rowKey={({ id }) => id}
      rowHref={({ id, status }) => hrefOf(slug, id, status)}
      empty={<p className="px-4 py-10 text-center text-muted">No survey matches these filters.</p>}
      actions={menuFor(slug, whyNot)}
    />
  )
}

/** Once it was launched, a survey is opened for its answers. */
const hrefOf = (slug: string, id: string, status: SurveyStatus): string =>
  status === 'draft' ? paths.survey(slug, id) : paths.surveyResults(slug, id)

const menuFor = (slug: string, whyNot: string | undefined) => (row: SurveyRow) => (
  <SurveyMenu
    slug={slug}
    id={row.id}
    name={row.name}
    isArchived={row.status === 'archived'}
    whyNot={whyNot}
  />
)

const columnsFor = (clock: Clock, isCounting: boolean): TableColumn<SurveyRow>[] => [
  { key: 'name', header: 'Survey', truncate: true, cell: (row) => <Name row={row} /> },
  {
    key: 'status',
    header: 'State',
    wideOnly: true,
    width: '6.5rem',
    cell: ({ status }) => <SurveyStatusBadge status={status} />,
  },
  {
    key: 'placement',
    header: 'Placement',
    wideOnly: true,
    width: '9rem',
    cell: ({ placement }) => placementLabels[placement],
  },
  {
    key: 'responses',
    header: 'Responses',
    numeric: true,
    width: '6.5rem',
    cell: ({ figures }) => (figures ? number(figures.responses) : <Missing isCounting={isCounting} />),
  },
  {
    key: 'rate',
    header: 'Rate',
    numeric: true,
    wideOnly: true,
    width: '5rem',
    cell: ({ figures }) =>
      figures ? (
        figures.rate === undefined ? (
          '–'
        ) : (
          `${Math.round(figures.rate * 100)}%`
        )
      ) : (
        <Missing isCounting={isCounting} />
      ),
  },
  {
    key: 'score',
    header: 'Score',
    numeric: true,
    wideOnly: true,
    width: '6.5rem',
    cell: ({ figures }) =>
      figures ? (
        <span className="whitespace-nowrap">{figures.score ?? '–'}</span>
      ) : (
        <Missing isCounting={isCounting} />
      ),
  },
  {
    key: 'changed',
    header: 'Changed',
    wideOnly: true,
    width: '7.5rem',
    cell: ({ changedAt }) => <RelativeTime at={changedAt} clock={clock} />,
  },
]

const Missing = ({ isCounting }: { isCounting: boolean }) =>
  isCounting ? <Skeleton className="ml-auto h-3.5 w-10" /> : '–'

function Name({ row: { name, description, questions, status } }: { row: SurveyRow }) {
  const count = plural(questions, 'question')
  return (
    <span className="block py-0.5">
      <span className="block truncate font-medium">{name}</span>
      <span className="block truncate text-xs font-normal text-muted">
        <span className="md:hidden">{statusLabels[status]} · </span>
        {[description, count].filter(Boolean).join(' · ')}
      </span>
    </span>
  )
}
