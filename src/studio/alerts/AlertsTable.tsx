import { BellRing } from 'lucide-react'
import { stateLabels } from '#alerts/alert-words'
import { Badge } from '#ui/Badge'
import type { TableColumn } from '#ui/table/column'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Table } from '#ui/table/Table'
import { paths } from '#studio/paths'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'

interface AlertRow {
  id: string
  name: string
  words: string
  state: keyof typeof stateLabels | undefined
  value: string | undefined
  since: Date
  checkedAt: Date | undefined
  nextCheckAt: Date
  mutedUntil: Date | undefined
}

const tones = { ok: 'success', firing: 'danger', unknown: 'warning' } as const

export const StateBadge = ({ state }: Pick<AlertRow, 'state'>) =>
  state ? (
    <Badge tone={tones[state]} dot>
      {stateLabels[state]}
    </Badge>
  ) : (
    <Badge>Not checked yet</Badge>
  )

const columnsFor = (clock: Clock): TableColumn<AlertRow>[] => [
  {
    key: 'name',
    header: 'Alert',
    truncate: true,
    cell: ({ name, words }) => (
      <span className="block py-0.5">
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-xs text-muted">When {words}</span>
      </span>
    ),
  },
  {
    key: 'state',
    header: 'State',
    cell: ({ state, mutedUntil }) => (
      <span className="flex flex-wrap gap-1">
        <StateBadge state={state} />
        {mutedUntil && mutedUntil > clock.now && <Badge>Muted</Badge>}
      </span>
    ),
  },
  {
    key: 'value',
    header: 'Last value',
    wideOnly: true,
    cell: ({ value }) => <span className="block max-w-52 truncate">{value ?? '–'}</span>,
  },
  {
    key: 'since',
    header: 'Since',
    wideOnly: true,
    cell: ({ since }) => <RelativeTime at={since} clock={clock} />,
  },
  {
    key: 'next',
    header: 'Next check',
    wideOnly: true,
    cell: ({ nextCheckAt }) =>
      nextCheckAt <= clock.now ? 'Due now' : <RelativeTime at={nextCheckAt} clock={clock} />,
  },
]

export function AlertsTable({
  slug,
  clock,
  alerts,
}: {
  slug: string
  clock: Clock
  alerts: readonly AlertRow[]
}) {
  return (
    <Table
      caption="Alerts"
      columns={columnsFor(clock)}
      rows={alerts}
      rowKey={({ id }) => id}
      rowHref={({ id }) => paths.alert(slug, id)}
      empty={
        <EmptyMessage
          icon={<Icon of={BellRing} size="lg" />}
          title="No alerts yet"
          body="Get notified when a number changes: views drop, errors rise, or orders stop."
          action={<LinkButton href={paths.newAlert(slug)}>Create alert</LinkButton>}
        />
      }
    />
  )
}
