import { flagChanges } from './flag-changes'
import type { ProposableChange } from './proposable-change'

/** Everything that an assistant can propose, in the order in which it is offered. */
export const proposableChanges: readonly ProposableChange[] = [...flagChanges]

export const changeNamed = (name: string): ProposableChange | undefined =>
  proposableChanges.find((change) => change.name === name)
