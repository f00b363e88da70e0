'use client'

import { type ReactElement, useState } from 'react'
import { lazyPanel } from '#studio/parts/lazy-panel'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { saveGoal } from '../changes'
import type { GoalRow, GoalsTableContext } from './GoalsTable'
import type { GoalSuggestion } from './goal-suggestion'

const LazyGoalFields = lazyPanel(async () => (await import('./GoalFields')).GoalFields, 'h-36')

interface GoalDialogProps extends GoalsTableContext {
  trigger: ReactElement
  /** The goal to change; without it, a new one. */
  row?: GoalRow
  /** A new goal that is filled in and open. */
  suggestion?: GoalSuggestion | undefined
}

/** Sets a goal, or changes one. */
export function GoalDialog({ slug, events, trigger, row, suggestion }: GoalDialogProps) {
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
