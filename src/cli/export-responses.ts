import { type Outcome, failedOutcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Config } from '#server/config'
import type { Product } from '#server/product'
import { callRunningTilth } from './call-running-tilth'

export const exportFormats = ['csv', 'json'] as const

interface ExportRequest {
  project: Project
  survey: string
  format: (typeof exportFormats)[number]
}

/** Writes the responses to a survey as the running Tilth sends them. */
export async function exportResponses(
  product: Product,
  config: Config,
  { project, survey, format }: ExportRequest,
  output: NodeJS.WritableStream,
): Promise<Outcome> {
  const key = { name: 'tilth survey export', scopes: ['project:read', 'surveys:read'] }
  return await callRunningTilth({ product, config, project, key }, async (call) => {
    const path = `/api/v1/projects/${project.id}/surveys/${encodeURIComponent(survey)}/export?format=${format}`
    const { status, body } = await call({ method: 'GET', path, output })
    if (status === 200) return { done: true }
    // the management API of this version answered
    const { error } = JSON.parse(body) as { error?: { message: string } }
    return failedOutcome(error?.message ?? `It answered ${status}.`)
  })
}
