'use server'

import { ingestSettingsOf } from '#ingest/project-settings'
import type { ProjectIngestSettings } from '#ingest/settings'
import { failedOutcome } from '#projects/problems'
import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { asFormData, asText } from '#studio/parts/form-data'
import { runProjectChange } from '#studio/parts/refusals'

type RetentionPeriods = ProjectIngestSettings['keep']

export async function changeRetention(slug: unknown, form: unknown): Promise<ActionResult> {
  const formData = asFormData(form)
  const keep = {
    eventDays: daysIn(formData.get('intake.keep.eventDays')),
    auditDays: daysIn(formData.get('intake.keep.auditDays')),
  }
  const answer = await runProjectChange(slug, async ({ projects }, projectId, viewer) => {
    const project = projects.find(String(projectId), viewer)
    const settings = ingestSettingsOf(project)
    if (deletesMore(settings.keep, keep) && formData.get('confirmed') !== 'on')
      return failedOutcome('Check this box: older data is deleted permanently.', 'confirmed')
    return await projects.changeSettings(projectId, { intake: { keep } }, viewer)
  })
  return mapOutcome(answer, () => ({}))
}

/** An empty text keeps data forever; the settings' schema refuses a text that is not a number. */
function daysIn(value: unknown): number | undefined {
  const text = asText(value).trim()
  return text === '' ? undefined : Number(text)
}

const deletesMore = (before: RetentionPeriods, after: RetentionPeriods): boolean =>
  isShorter(before.eventDays, after.eventDays) || isShorter(before.auditDays, after.auditDays)

const isShorter = (before: number | undefined, after: number | undefined): boolean =>
  after !== undefined && (before === undefined || after < before)
