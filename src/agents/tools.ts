import type { Right } from '#projects/access'
import type { AgentTool } from './internal/agent-tool'
import { boardTools } from './internal/board-tools'
import { contentTools } from './internal/content-tools'
import { docsTools } from './internal/docs-tools'
import { featureTools } from './internal/feature-tools'
import { numberTools } from './internal/number-tools'
import { projectTools } from './internal/project-tools'
import { proposalTools } from './internal/proposal-tools'

/** Everything that an assistant can ask, in the order in which it is offered. */
export const agentTools: readonly AgentTool[] = [
  ...projectTools,
  ...numberTools,
  ...boardTools,
  ...featureTools,
  ...contentTools,
  ...docsTools,
  ...proposalTools,
]

/** The scopes with which a key is offered every tool. */
export const agentRights: readonly Right[] = [...new Set(agentTools.flatMap(({ rights }) => rights))]
