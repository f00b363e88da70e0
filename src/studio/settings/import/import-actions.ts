'use server'

import { instantOf } from '#insights/calendar/local-time'
import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { asText } from '#studio/parts/form-data'
import { runProjectChange } from '#studio/parts/refusals'

/** The cut-over is a local time of the project, or empty. */
export async function previewUpload(slug: unknown, id: unknown, until: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, async ({ projects, imports }, projectId, viewer) => {
    const { uploads: importUploads } = imports
    const { timeZone } = projects.find(String(projectId), viewer)
    return await importUploads.preview(
      projectId,
      asText(id),
      { until: instantIn(asText(until), timeZone) },
      viewer,
    )
  })
}

export async function startImport(slug: unknown, id: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ imports: { uploads: importUploads } }, projectId, viewer) =>
    importUploads.start(projectId, asText(id), viewer),
  )
}

export async function discardUpload(slug: unknown, id: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ imports: { uploads: importUploads } }, projectId, viewer) =>
    importUploads.discard(projectId, asText(id), viewer),
  )
}

export async function undoImport(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ imports }, projectId, viewer) =>
    imports.undo(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}

/** A time that the time zone skips stays as it is, which the product refuses. */
function instantIn(local: string, timeZone: string): string | undefined {
  if (local === '') return undefined
  const [day = '', time = ''] = local.split('T')
  return instantOf({ day, time }, timeZone)?.toISOString() ?? local
}
