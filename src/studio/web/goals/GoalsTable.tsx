'use client'

import { type ReactElement, useState } from 'react'
import { Flag, Pencil, Plus, Trash2 } from 'lucide-react'
import { eventLabel } from '#events/taxonomy'
import { type Approximation, nameWithMargin } from '#insights/approximation'
import type { Goal } from '#insights/compile/goal'
import type { GoalsAnswer } from '#insights/kinds/goals/answer'
import { TextLink } from '#ui/Anchor'
import { amount, number, plural, type Unit } from '#ui/format'
import { SparkLine } from '#ui/chart/SparkLine'
import { Change } from '#ui/chart/Stat'
import { Skeleton } from '#ui/page/Skeleton'
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
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { lazyPanel } from '#studio/parts/lazy-panel'
import { removeGoal, saveGoal } from '../changes'
import type { GoalSuggestion } from './goal-suggestion'

export interface GoalRow {
  id: string
  name: string
  goal: Goal
  /** Undefined until they are counted. */
  numbers?: GoalsAnswer['goals'][number]
  personsHref?: string
}

export interface GoalsTableContext {
  slug: string
  /** Why nothing can be changed; undefined when it can. */
  whyNot: string | undefined
  events: readonly { name: string; label: string; isVerified: boolean }[]
  /** A new goal that the address suggests. */
  suggestion?: GoalSuggestion | undefined
}

interface GoalsTableProps extends GoalsTableContext {
  goals: readonly GoalRow[]
  /** Absent if the numbers are exact. */
  approximate?: Approximation | undefined
  /** Of revenue. */
  unit: Unit
  lastIsIncomplete?: boolean
  comparedLabel?: string | undefined
}

function columnsFor({
  goals,
  approximate,
  unit,
  lastIsIncomplete,
  comparedLabel,
}: GoalsTableProps): TableColumn<GoalRow>[] {
  const hasRevenue = goals.some(({ numbers }) => numbers && numbers.figures.revenue !== 0)
  return [
    {
      key: 'name',
      header: 'Goal',
      truncate: true,
      cell: ({ name, goal }) => (
        <span className="flex flex-col py-1">
          <bdi className="truncate font-medium">{name}</bdi>
          <bdi className="truncate text-xs text-muted">{goalLabel(goal)}</bdi>
        </span>
      ),
    },
    {
      key: 'conversions',
      header: nameWithMargin({ name: 'Conversions', ...approximate }),
      about: 'Visitors who reached the goal at least once.',
      numeric: true,
      cell: (row) => <Conversions row={row} comparedLabel={comparedLabel} />,
    },
    {
      key: 'rate',
      header: nameWithMargin({ name: 'Rate', ...approximate }),
      about: 'Share of visitors who reached the goal.',
      numeric: true,
      needs: '28rem',
      cell: ({ numbers }) => (numbers ? amount(numbers.figures.rate, 'percent') : ''),
    },
    ...(hasRevenue ? [revenueColumn(unit)] : []),
    {
      key: 'course',
      header: 'Course',
      width: '8rem',
      needs: '40rem',
      cell: ({ name, numbers }) =>
        numbers && (
          <SparkLine
            label={`Conversions of ${name} over time`}
            values={numbers.course}
            lastIsIncomplete={lastIsIncomplete}
            className="w-28"
          />
        ),
    },
  ]
}

const revenueColumn = (unit: Unit): TableColumn<GoalRow> => ({
  key: 'revenue',
  header: 'Revenue',
  numeric: true,
  needs: '40rem',
  cell: ({ numbers }) =>
    numbers && numbers.figures.revenue !== 0 ? amount(numbers.figures.revenue, unit) : '–',
})

/** A press leads to the persons who are counted. */
function Conversions({ row, comparedLabel }: { row: GoalRow; comparedLabel: string | undefined }) {
  const { name, numbers, personsHref } = row
  if (!numbers) return <Skeleton className="ml-auto h-4 w-10" />
  const { figures, compared } = numbers
  return (
    <span className="inline-flex items-baseline gap-2">
      {compared && (
        <span title={`${number(compared.conversions)} in the ${comparedLabel ?? 'previous period'}`}>
          <Change from={compared.conversions} to={figures.conversions} />
        </span>
      )}
      {personsHref && figures.conversions > 0 ? (
        <TextLink
          href={personsHref}
          aria-label={`${plural(figures.conversions, 'person', 'people')} who reached ${name}`}
        >
          {number(figures.conversions)}
        </TextLink>
      ) : (
        <span>{number(figures.conversions)}</span>
      )}
    </span>
  )
}

function goalLabel(goal: Goal): string {
  if (goal.type === 'page') return `a view of ${goal.path}`
  if (goal.type === 'scroll') return `reading ${goal.depth}% of ${goal.path}`
  return goal.type === 'revenue' ? 'any revenue' : eventLabel(goal.event)
}

export function GoalsTable(props: GoalsTableProps) {
  const { goals, slug, whyNot, events, suggestion } = props
  const context = { slug, whyNot, events }
  const create = (
    <GoalDialog
      {...context}
      suggestion={whyNot === undefined ? suggestion : undefined}
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
        columns={columnsFor(props)}
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

const LazyGoalFields = lazyPanel(async () => (await import('./GoalFields')).GoalFields, 'h-36')

interface GoalDialogProps extends GoalsTableContext {
  trigger: ReactElement
  /** The goal to change; without it, a new one. */
  row?: GoalRow
  /** A new goal that is filled in and open. */
  suggestion?: GoalSuggestion | undefined
}

/** Sets a goal, or changes one. */
function GoalDialog({ slug, events, trigger, row, suggestion }: GoalDialogProps) {
  const given = row ?? suggestion
  const [isSuggested, setSuggested] = useState(suggestion !== undefined)
  return (
    <ChangeDialog
      title={row ? `Edit ${row.name}` : 'New goal'}
      change={(formData) => saveGoal(slug, row?.id ?? '', formData)}
      saved={row ? 'Goal saved' : 'Goal created'}
      trigger={trigger}
      {...(isSuggested && { open: true, onClose: () => setSuggested(false) })}
      submit={row ? 'Save goal' : 'Create goal'}
    >
      <LazyGoalFields goal={given?.goal} name={given?.name} events={events} />
    </ChangeDialog>
  )
}
