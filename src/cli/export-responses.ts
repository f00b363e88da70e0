import type { Outcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Config } from '#server/config'
import type { Product } from '#server/product'
import type { ExportFormat } from '#surveys/results/export-rows'
import { callRunningTilth, refusalIn } from './call-running-tilth'

interface ExportRequest {
  project: Project
  survey: string
  format: ExportFormat
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
    const answer = await call({ method: 'GET', path, output })
    return answer.status === 200 ? { done: true } : refusalIn(answer)
  })
}
