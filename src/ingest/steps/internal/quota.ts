import type { IngestStep } from './step'

/** Runs after all other steps that drop events, so that only stored events count. */
export const heedQuota: IngestStep = (_draft, { envelope: { projectId }, rules, ingest }) =>
  ingest.quota.admit(projectId, rules.monthlyEvents) ? undefined : 'over-quota'
