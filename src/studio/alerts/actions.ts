'use server'

import type { AlertVerdict } from '#alerts/condition'
import type { DeliveryReport } from '#alerts/deliveries/deliveries'
import type { AlertTimeSeries } from '#alerts/alert-reading'
import { getProduct } from '#studio/product'
import { requireViewer } from '#studio/viewer'
import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { asText } from '#studio/parts/form-data'
import { catchRefusals, runProjectChange, tryEngine } from '#studio/parts/refusals'

/** Without an id it is a new one. */
export async function saveAlert(
  slug: unknown,
  id: unknown,
  draft: unknown,
): Promise<ActionResult<{ id: string }>> {
  const answer = await runProjectChange(slug, ({ alerts }, projectId, viewer) =>
    id === undefined
      ? alerts.create(projectId, draft, viewer)
      : alerts.change(projectId, asText(id), draft, viewer),
  )
  return mapOutcome(answer, ({ alert }) => ({ id: alert.id }))
}

export async function removeAlert(slug: unknown, id: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ alerts }, projectId, viewer) =>
    alerts.remove(projectId, asText(id), viewer),
  )
}

export async function muteAlert(slug: unknown, id: unknown, hours: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ alerts }, projectId, viewer) =>
    alerts.mute(projectId, asText(id), { hours }, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function testAlert(
  slug: unknown,
  id: unknown,
): Promise<ActionResult<{ verdict: AlertVerdict; told: string[] }>> {
  return await runProjectChange(slug, ({ alerts }, projectId, viewer) =>
    alerts.test(projectId, asText(id), viewer),
  )
}

/** Lists the recent deliveries of an alert; polled while a test is being sent. */
export async function alertDeliveries(
  slug: unknown,
  id: unknown,
): Promise<ActionResult<{ told: DeliveryReport[] }>> {
  const viewer = await requireViewer()
  const { projects, alerts } = getProduct()
  return await catchRefusals(() => alerts.told(projects.find(asText(slug), viewer).id, asText(id), viewer))
}

/** The numbers behind an alert that is being set up. */
export async function previewAlert(
  slug: unknown,
  draft: unknown,
): Promise<ActionResult<{ course: AlertTimeSeries }>> {
  const viewer = await requireViewer()
  const { projects, alerts } = getProduct()
  return await tryEngine(() => alerts.course(projects.find(asText(slug), viewer).id, draft, viewer))
}

export async function saveReport(
  slug: unknown,
  id: unknown,
  draft: unknown,
): Promise<ActionResult<{ id: string }>> {
  const answer = await runProjectChange(slug, ({ alerts: { reports } }, projectId, viewer) =>
    id === undefined
      ? reports.create(projectId, draft, viewer)
      : reports.change(projectId, asText(id), draft, viewer),
  )
  return mapOutcome(answer, ({ report }) => ({ id: report.id }))
}

export async function removeReport(slug: unknown, id: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ alerts: { reports } }, projectId, viewer) =>
    reports.remove(projectId, asText(id), viewer),
  )
}

export async function sendReport(slug: unknown, id: unknown): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ alerts: { reports } }, projectId, viewer) =>
    reports.sendNow(projectId, asText(id), viewer),
  )
  return mapOutcome(answer, () => ({}))
}
