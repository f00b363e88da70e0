import { agentAccessCalls } from '#agent-access/authorization.cases'
import { agentCalls } from '#agents/authorization.cases'
import { alertCalls } from '#alerts/authorization.cases'
import { apiCalls } from '#api/authorization.cases'
import { backupCalls } from '#backups/authorization.cases'
import { dashboardCalls } from '#dashboards/authorization.cases'
import { experimentCalls } from '#experiments/authorization.cases'
import { exportCalls } from '#exports/authorization.cases'
import { findingCalls } from '#findings/authorization.cases'
import { flagCalls } from '#flags/authorization.cases'
import { importCalls } from '#imports/authorization.cases'
import { insightCalls } from '#insights/authorization.cases'
import { letterCalls } from '#letters/authorization.cases'
import { moveCalls } from '#moves/authorization.cases'
import { personCalls } from '#persons/authorization.cases'
import { postCalls } from '#posts/authorization.cases'
import { projectCalls } from '#projects/authorization.cases'
import { retentionCalls } from '#retention/authorization.cases'
import { searchCalls } from '#search/authorization.cases'
import { shareCalls } from '#shares/authorization.cases'
import { siteCheckCalls } from '#site-checks/authorization.cases'
import { surveyCalls } from '#surveys/authorization.cases'
import type { AuditedCall } from './audited-call'

/** The cases of each module, by its folder: a new file `authorization.cases.ts` is one more line. */
export const callsByModule = {
  projects: projectCalls,
  'agent-access': agentAccessCalls,
  insights: insightCalls,
  persons: personCalls,
  search: searchCalls,
  exports: exportCalls,
  imports: importCalls,
  moves: moveCalls,
  api: apiCalls,
  dashboards: dashboardCalls,
  shares: shareCalls,
  'site-checks': siteCheckCalls,
  agents: agentCalls,
  alerts: alertCalls,
  flags: flagCalls,
  experiments: experimentCalls,
  surveys: surveyCalls,
  findings: findingCalls,
  posts: postCalls,
  letters: letterCalls,
  retention: retentionCalls,
  backups: backupCalls,
}

/** Every case; `src/projects/authorization.test.ts` runs them. */
export const calls: Record<string, AuditedCall> = Object.assign({}, ...Object.values(callsByModule))
