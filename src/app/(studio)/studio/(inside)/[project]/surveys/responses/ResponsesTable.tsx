import { Table } from '#ui/table/Table'
import type { TableColumn } from '#ui/table/column'
import { paths } from '#app/paths'
import { type Clock, RelativeTime } from '#app/(studio)/RelativeTime'
import { RemoveResponse } from './RemoveResponse'
import { type ResponseState, ResponseStateBadge } from './ResponseStateBadge'

export interface ResponseRow {
  id: string
  answeredAt: Date
  state: ResponseState
  distinctId: string
  version: number
  /** The answers in words. */
  answers: string
}

interface ResponsesTableProps {
  slug: string
  survey: string
  clock: Clock
  rows: readonly ResponseRow[]
  whyNot: string | undefined
}

export function ResponsesTable({ slug, survey, clock, rows, whyNot }: ResponsesTableProps) {
  return (
    <Table
      caption="Responses"
      columns={columnsFor(clock)}
      rows={rows}
      rowKey={({ id }) => id}
      rowHref={({ id }) => paths.surveyResponse(slug, survey, id)}
      empty={<p className="px-4 py-10 text-center text-muted">No responses in this period.</p>}
      actions={removalFor({ slug, survey, whyNot })}
    />
  )
}

function removalFor(props: Pick<ResponsesTableProps, 'slug' | 'survey' | 'whyNot'>) {
  return ({ id, distinctId }: ResponseRow) => <RemoveResponse {...props} response={id} of={distinctId} />
}

const columnsFor = (clock: Clock): TableColumn<ResponseRow>[] => [
  { key: 'answers', header: 'Answers', truncate: true, cell: ({ answers }) => answers || 'No answers' },
  {
    key: 'state',
    header: 'State',
    width: '8rem',
    cell: ({ state }) => <ResponseStateBadge state={state} />,
  },
  { key: 'person', header: 'Person', wideOnly: true, width: '12rem', cell: ({ distinctId }) => distinctId },
  { key: 'version', header: 'Version', numeric: true, wideOnly: true, cell: ({ version }) => version },
  {
    key: 'answered',
    header: 'Answered',
    width: '8rem',
    cell: ({ answeredAt }) => <RelativeTime at={answeredAt} clock={clock} />,
  },
]
