import type { AlertChange } from '#alerts/alert'
import { verdictWords } from '#alerts/verdict-words'
import type { TableColumn } from '#ui/table/column'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Panel } from '#ui/page/Panel'
import { Table } from '#ui/table/Table'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { StateBadge } from './AlertsTable'

const changeColumns = (clock: Clock): TableColumn<AlertChange>[] => [
  { key: 'at', header: 'Time', width: '10rem', cell: ({ at }) => <RelativeTime at={at} clock={clock} /> },
  {
    key: 'state',
    header: 'State',
    width: '8rem',
    cell: ({ verdict }) => <StateBadge state={verdict.state} />,
  },
  { key: 'value', header: 'Value', cell: ({ verdict }) => verdictWords(verdict, 'number') },
]

export function AlertHistory({ changes, clock }: { changes: readonly AlertChange[]; clock: Clock }) {
  return (
    <Panel flush title="History">
      <Table
        caption="Alert history"
        columns={changeColumns(clock)}
        rows={changes}
        rowKey={({ at }) => at.toISOString()}
        empty={<EmptyMessage title="No history yet" body="Every change of state is listed here." />}
      />
    </Panel>
  )
}
