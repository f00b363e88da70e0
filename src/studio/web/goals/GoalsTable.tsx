'use client'

import { Flag, Pencil, Plus, Trash2 } from 'lucide-react'
import { eventLabel } from '#events/taxonomy'
import type { Goal } from '#insights/compile/goal'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Button } from '#ui/Button'
import type { TableColumn } from '#ui/table/column'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { LinkButton } from '#ui/LinkButton'
import { Panel } from '#ui/page/Panel'
import { Table } from '#ui/table/Table'
import { paths } from '#studio/paths'
import { useDirectChange } from '#studio/parts/Change'
import { removeGoal } from '../changes'
import { GoalDialog } from './GoalDialog'

export interface GoalRow {
  id: string
  name: string
  goal: Goal
}

export interface GoalsTableContext {
  slug: string
  /** Why nothing can be changed; undefined when it can. */
  whyNot: string | undefined
  events: readonly { name: string; label: string; isVerified: boolean }[]
}

const columns: TableColumn<GoalRow>[] = [
  { key: 'name', header: 'Goal', cell: ({ name }) => <span className="font-medium">{name}</span> },
  { key: 'reached', header: 'Condition', cell: ({ goal }) => <bdi>{goalLabel(goal)}</bdi> },
]

function goalLabel(goal: Goal): string {
  if (goal.type === 'page') return `a view of ${goal.path}`
  if (goal.type === 'scroll') return `reading ${goal.depth}% of ${goal.path}`
  return goal.type === 'revenue' ? 'any revenue' : eventLabel(goal.event)
}

export function GoalsTable({ goals, ...context }: GoalsTableContext & { goals: readonly GoalRow[] }) {
  const create = (
    <GoalDialog
      {...context}
      trigger={
        <Button variant="primary" size="sm" icon={<Icon of={Plus} />} disabledReason={context.whyNot}>
          New goal…
        </Button>
      }
    />
  )
  return (
    <Panel
      flush
      title="Goals"
      description="Conversions to track. Select one to see its conversion rate in every row."
      actions={create}
    >
      <Table
        caption="Goals"
        columns={columns}
        rows={goals}
        rowKey={({ id }) => id}
        empty={
          <EmptyMessage
            icon={<Icon of={Flag} size="lg" />}
            title="No goals yet"
            body="Track conversions: a page view, an event, a read page or a purchase."
          />
        }
        actions={actionsFor(context)}
      />
    </Panel>
  )
}

const actionsFor = (context: GoalsTableContext) => (row: GoalRow) => <GoalActions row={row} {...context} />

function GoalActions({ row, ...context }: GoalsTableContext & { row: GoalRow }) {
  const { slug, whyNot } = context
  const { make, question } = useDirectChange()
  return (
    <span className="flex items-center gap-1">
      <LinkButton size="sm" variant="quiet" href={paths.web(slug, [['goal', row.id]])}>
        Show
      </LinkButton>
      <GoalDialog
        {...context}
        row={row}
        trigger={
          <IconButton label={`Change ${row.name}`} icon={<Icon of={Pencil} />} disabledReason={whyNot} />
        }
      />
      <AlertDialog
        title={`Remove ${row.name}?`}
        body={<>Its events stay. Create the same goal again to see its past conversions.{question}</>}
        confirmLabel="Remove goal"
        onConfirm={() => make(() => removeGoal(slug, row.id), { saved: `${row.name} removed` })}
        trigger={
          <IconButton label={`Remove ${row.name}`} icon={<Icon of={Trash2} />} disabledReason={whyNot} />
        }
      />
    </span>
  )
}
