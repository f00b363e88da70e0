import type { ReactNode } from 'react'
import type { ExperimentKind, statusOf } from '#experiments/experiment'
import { Table } from '#ui/table/Table'
import type { TableColumn } from '#ui/table/column'
import { paths } from '#studio/paths'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { ExperimentMenu } from './ExperimentMenu'
import { ExperimentStatusBadge, experimentStatusLabels } from '#studio/parts/ExperimentStatusBadge'

export interface ExperimentRow {
  id: string
  name: string
  kind: ExperimentKind
  flag: string
  status: ReturnType<typeof statusOf>
  startedAt: Date | undefined
  /** The experiment's result so far; it loads after the list. */
  result: ReactNode
}

interface ExperimentsTableProps {
  slug: string
  clock: Clock
  rows: readonly ExperimentRow[]
  whyNot: string | undefined
}

export function ExperimentsTable({ slug, clock, rows, whyNot }: ExperimentsTableProps) {
  return (
    <Table
      caption="Experiments"
      columns={columnsFor(clock)}
      rows={rows}
      rowKey={({ id }) => id}
      rowHref={({ id, status }) =>
        status === 'draft' ? paths.experimentSettings(slug, id) : paths.experiment(slug, id)
      }
      empty={<p className="px-4 py-10 text-center text-muted">No experiment matches these filters.</p>}
      actions={menuFor(slug, whyNot)}
    />
  )
}

const menuFor =
  (slug: string, whyNot: string | undefined) =>
  ({ id, name, status }: ExperimentRow) => (
    <ExperimentMenu
      slug={slug}
      id={id}
      name={name}
      isRunning={status === 'running'}
      isArchived={status === 'archived'}
      whyNot={whyNot}
    />
  )

const columnsFor = (clock: Clock): TableColumn<ExperimentRow>[] => [
  {
    key: 'name',
    header: 'Experiment',
    truncate: true,
    cell: ({ name, kind, flag, status, result }) => (
      <span className="block py-0.5">
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-xs font-normal text-muted">
          <span className="md:hidden">{experimentStatusLabels[status]} · </span>
          {kind === 'rollout' && 'Guarded rollout · '}
          <span className="font-mono">{flag}</span>
        </span>
        <span className="mt-1 block text-xs font-normal whitespace-normal md:hidden">{result}</span>
      </span>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    wideOnly: true,
    width: '6.5rem',
    cell: ({ status }) => <ExperimentStatusBadge status={status} />,
  },
  {
    key: 'started',
    header: 'Started',
    wideOnly: true,
    width: '8rem',
    cell: ({ startedAt }) =>
      startedAt ? (
        <RelativeTime at={startedAt} clock={clock} />
      ) : (
        <span className="whitespace-nowrap text-muted">Not started</span>
      ),
  },
  {
    key: 'result',
    header: 'Result',
    wideOnly: true,
    width: '19rem',
    cell: ({ result }) => result,
  },
]
