import type { AgentTool } from './agent-tool'
import { contentTools } from './content-tools'
import { featureTools } from './feature-tools'
import { numberTools } from './number-tools'
import { projectTools } from './project-tools'

/** Everything that an assistant can ask, in the order in which it is offered. */
export const agentTools: readonly AgentTool[] = [
  ...projectTools,
  ...numberTools,
  ...featureTools,
  ...contentTools,
]
