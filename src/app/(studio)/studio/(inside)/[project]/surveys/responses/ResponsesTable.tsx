import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Table } from '#ui/table/Table'
import type { TableColumn } from '#ui/table/column'
import { paths } from '#app/paths'
import { type Clock, RelativeTime } from '#app/(studio)/RelativeTime'
import { RemoveResponse } from './RemoveResponse'
import { type ResponseState, ResponseStateBadge, stateLabels } from './ResponseStateBadge'

interface ResponseRow {
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
  /** The rows are responses that were taken out of the results. */
  areRemoved: boolean
  whyNot: string | undefined
}

export function ResponsesTable({ slug, survey, clock, rows, areRemoved, whyNot }: ResponsesTableProps) {
  return (
    <Table
      caption="Responses"
      columns={columnsFor(clock)}
      rows={rows}
      rowKey={({ id }) => id}
      rowHref={({ id }) => paths.surveyResponse(slug, survey, id)}
      empty={
        areRemoved ? (
          <EmptyMessage
            title="No removed responses"
            body="Remove test responses from the results. They are listed here and can be restored."
          />
        ) : (
          <EmptyMessage
            title="No responses"
            body="Choose a longer period, or remove conditions. Responses are listed within a minute."
          />
        )
      }
      actions={removalFor({ slug, survey, whyNot, isRemoved: areRemoved })}
    />
  )
}

function removalFor(props: Pick<ResponsesTableProps, 'slug' | 'survey' | 'whyNot'> & { isRemoved: boolean }) {
  return ({ id, distinctId }: ResponseRow) => <RemoveResponse {...props} response={id} of={distinctId} />
}

const columnsFor = (clock: Clock): TableColumn<ResponseRow>[] => [
  {
    key: 'answers',
    header: 'Answers',
    truncate: true,
    cell: ({ answers, state }) => (
      <>
        {answers || 'No answers'}
        <span className="block truncate text-xs font-normal text-muted md:hidden">{stateLabels[state]}</span>
      </>
    ),
  },
  {
    key: 'state',
    header: 'State',
    wideOnly: true,
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
