import { Badge } from '#ui/Badge'
import type { TableColumn } from '#ui/table/column'
import { compact, pluralWord } from '#ui/format'
import { Skeleton } from '#ui/page/Skeleton'
import { Table } from '#ui/table/Table'
import { Tooltip } from '#ui/overlay/Tooltip'
import { paths } from '#studio/paths'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { RestoreFlag } from './RestoreFlag'
import { FlagSwitch } from './FlagSwitch'
import { type VariantShare, VariantBar } from './VariantBar'

export interface FlagRow {
  key: string
  description: string
  tags: readonly string[]
  owner: string
  isArchived: boolean
  /** By environment. */
  isOn: Readonly<Record<string, boolean>>
  /** The extent of the rollout, in words. */
  rollout: string
  /** The same, by environment. */
  rollouts: Readonly<Record<string, string>>
  figures: FlagRowFigures | undefined
}

export interface FlagRowFigures {
  askedAt: Date | undefined
  /** The number of people who were given the flag, and the values they got. */
  persons: number
  traffic: readonly VariantShare[]
  /** Why it may go; undefined where it may not. */
  stale: { label: string; why: string } | undefined
}

interface FlagsTableProps {
  slug: string
  clock: Clock
  rows: readonly FlagRow[]
  /** The environments that have a switch in each row. */
  environments: readonly string[]
  whyNot: string | undefined
  /** Whether what figures are missing is on its way. */
  isCounting: boolean
}

export function FlagsTable(props: FlagsTableProps) {
  const { slug, rows, whyNot } = props
  return (
    <Table
      caption="Flags"
      columns={columnsFor(props)}
      rows={rows}
      rowKey={({ key }) => key}
      rowHref={({ key }) => paths.flag(slug, key)}
      empty={<p className="px-4 py-10 text-center text-muted">No flags match these filters.</p>}
      actions={rows.some(({ isArchived }) => isArchived) ? restoreFor(slug, whyNot) : undefined}
    />
  )
}

const restoreFor = (slug: string, whyNot: string | undefined) => (row: FlagRow) => (
  <RestoreFlag slug={slug} flagKey={row.key} whyNot={whyNot} />
)

const columnsFor = ({
  slug,
  clock,
  environments,
  whyNot,
  isCounting,
}: FlagsTableProps): TableColumn<FlagRow>[] => [
  { key: 'key', header: 'Flag', truncate: true, cell: (row) => <Name row={row} /> },
  ...environments.map((environment, index): TableColumn<FlagRow> => ({
    key: `on in ${environment}`,
    header: environment,
    wideOnly: index > 0,
    width: '5.5rem',
    cell: ({ key, isOn, isArchived, rollouts }) =>
      isArchived ? (
        <span className="text-muted">{isOn[environment] ? 'On' : 'Off'}</span>
      ) : (
        <FlagSwitch
          slug={slug}
          flagKey={key}
          environment={environment}
          isOn={isOn[environment] ?? false}
          rollout={rollouts[environment] ?? 'nobody'}
          whyNot={whyNot}
        />
      ),
  })),
  {
    key: 'rollout',
    header: 'Rollout',
    wideOnly: true,
    cell: ({ rollout }) => (
      <span title={rollout} className="block max-w-60 min-w-36 truncate">
        {rollout}
      </span>
    ),
  },
  {
    key: 'asked',
    header: 'Last evaluated',
    wideOnly: true,
    width: '7rem',
    cell: ({ figures }) => <LastRequest figures={figures} clock={clock} isCounting={isCounting} />,
  },
  {
    key: 'traffic',
    header: 'Last 30 days',
    wideOnly: true,
    width: '8rem',
    cell: ({ key, figures }) => <Traffic flagKey={key} figures={figures} isCounting={isCounting} />,
  },
]

function Name({ row }: { row: FlagRow }) {
  const { key, description, tags, owner, figures } = row
  return (
    <span className="block py-0.5">
      <span className="flex min-w-0 items-center gap-2">
        <span className="truncate font-mono text-xs font-medium">{key}</span>
        {figures?.stale && (
          <Tooltip label={figures.stale.why}>
            <span className="relative z-1 inline-flex">
              <Badge tone="warning">{figures.stale.label}</Badge>
            </span>
          </Tooltip>
        )}
      </span>
      <span className="flex min-w-0 items-center gap-1.5 text-xs font-normal text-muted">
        {(description || owner) && (
          <span className="truncate">{[description, owner].filter(Boolean).join(' · ')}</span>
        )}
        {tags.slice(0, 3).map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
      </span>
    </span>
  )
}

interface FlagFigureProps {
  figures: FlagRowFigures | undefined
  isCounting: boolean
}

function LastRequest({ figures, clock, isCounting }: FlagFigureProps & { clock: Clock }) {
  if (!figures) return isCounting ? <Skeleton className="h-3.5 w-16" /> : '–'
  return figures.askedAt ? (
    <RelativeTime at={figures.askedAt} clock={clock} />
  ) : (
    <span className="text-muted">Never</span>
  )
}

function Traffic({ flagKey, figures, isCounting }: FlagFigureProps & { flagKey: string }) {
  if (!figures) return isCounting ? <Skeleton className="h-3.5 w-20" /> : '–'
  const { persons } = figures
  if (persons === 0) return <span className="text-muted">None</span>
  return (
    <span className="flex flex-col gap-1 py-0.5">
      <span className="text-xs text-muted tabular-nums">
        {compact(persons)} {pluralWord(persons, 'person', 'people')}
      </span>
      <VariantBar label={`Values served by ${flagKey}`} shares={figures.traffic} />
    </span>
  )
}
