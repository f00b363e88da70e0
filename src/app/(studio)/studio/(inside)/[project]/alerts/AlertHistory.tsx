import type { AlertChange } from '../../../../../../alerts/alert'
import type { Told } from '../../../../../../alerts/deliveries'
import { verdictWords } from '../../../../../../alerts/verdict-words'
import { Badge } from '../../../../../../ui/Badge'
import type { Column } from '../../../../../../ui/column'
import { EmptyMessage } from '../../../../../../ui/EmptyMessage'
import { Panel } from '../../../../../../ui/Panel'
import { Table } from '../../../../../../ui/Table'
import { type Clock, When } from '../../../../When'
import { StateBadge } from './AlertsTable'
import { type Person, recipientWords } from './whom'

const changeColumns = (clock: Clock): Column<AlertChange>[] => [
  { key: 'at', header: 'When', width: '10rem', cell: ({ at }) => <When at={at} clock={clock} /> },
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
        caption="History of the alert"
        columns={changeColumns(clock)}
        rows={changes}
        rowKey={({ at }) => at.toISOString()}
        empty={<EmptyMessage title="Nothing has changed yet" body="Each change of its state is kept here." />}
      />
    </Panel>
  )
}

const tidingsLabels: Record<string, string> = {
  firing: 'It came true',
  recovered: 'It is over',
  'still-firing': 'It still is true',
  test: 'A test',
  report: 'A report',
}

const states = {
  sent: { label: 'Sent', tone: 'success' },
  waiting: { label: 'Waiting', tone: 'warning' },
  failed: { label: 'Failed', tone: 'danger' },
} as const

const toldColumns = (clock: Clock, members: readonly Person[]): Column<Told>[] => [
  { key: 'at', header: 'When', cell: ({ createdAt }) => <When at={createdAt} clock={clock} /> },
  {
    key: 'whom',
    header: 'Whom',
    cell: ({ recipient, tidings }) => (
      <span className="block max-w-44 py-0.5">
        <span className="block truncate">{recipientWords(recipient, members)}</span>
        <span className="block text-xs text-muted">{tidingsLabels[tidings] ?? tidings}</span>
      </span>
    ),
  },
  {
    key: 'state',
    header: 'Outcome',
    cell: ({ state, outcome }) => (
      <span className="flex min-w-40 flex-wrap items-center gap-1.5">
        <Badge tone={states[state].tone}>{states[state].label}</Badge>
        {outcome && <span className="text-xs text-muted">{outcome}</span>}
      </span>
    ),
  },
]

/** What was told to whom, and what came of it. */
export function ToldTable({
  told,
  clock,
  members,
}: {
  told: readonly Told[]
  clock: Clock
  members: readonly Person[]
}) {
  return (
    <Panel flush title="What was told">
      <Table
        caption="What was told"
        columns={toldColumns(clock, members)}
        rows={told}
        rowKey={({ id }) => id}
        empty={<EmptyMessage title="Nobody was told of it yet" body="Test it to see whether it arrives." />}
      />
    </Panel>
  )
}
