import type { IngestStep } from './step'

/** After everything else that can drop an event: only those that will be kept count. */
export const heedQuota: IngestStep = (_draft, { envelope: { projectId }, rules, ingest }) =>
  ingest.quota.admit(projectId, rules.monthlyEvents) ? undefined : 'over-quota'
