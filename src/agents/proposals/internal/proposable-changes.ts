import { alertChanges } from './alert-changes'
import { dashboardChanges } from './dashboard-changes'
import { experimentChanges } from './experiment-changes'
import { flagChanges } from './flag-changes'
import { postChanges } from './post-changes'
import type { ProposableChange } from './proposable-change'
import { surveyChanges } from './survey-changes'

/** Everything that an assistant can propose, in the order in which it is offered. */
export const proposableChanges: readonly ProposableChange[] = [
  ...flagChanges,
  ...experimentChanges,
  ...surveyChanges,
  ...postChanges,
  ...dashboardChanges,
  ...alertChanges,
]

export const changeNamed = (name: string): ProposableChange | undefined =>
  proposableChanges.find((change) => change.name === name)
