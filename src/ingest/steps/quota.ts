import type { Step } from './step'

/** After everything else that can drop an event: only those that will be kept count. */
export const heedQuota: Step = (_draft, { envelope: { projectId }, rules, house }) =>
  house.quota.admit(projectId, rules.monthlyEvents) ? undefined : 'over-quota'
