'use server'

import { type DashboardTemplateName, templates } from '#dashboards/templates'
import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { asFormData, asNumber, asText } from '#studio/parts/form-data'
import { startingQuery } from '#studio/insights/starting-query'
import { catchRefusals, runProjectChange } from '#studio/parts/refusals'
import { getProduct } from '#studio/product'
import { requireViewer } from '#studio/viewer'

export async function createDashboard(slug: unknown, form: unknown): Promise<ActionResult<{ id: string }>> {
  const formData = asFormData(form)
  const dashboardInput = { name: formData.get('name'), cards: cardsOf(asText(formData.get('template'))) }
  const outcome = await runProjectChange(slug, ({ dashboards }, projectId, viewer) =>
    dashboards.create(projectId, dashboardInput, viewer),
  )
  return mapOutcome(outcome, ({ dashboard }) => ({ id: dashboard.id }))
}

const cardsOf = (name: string) => (isTemplate(name) ? templates[name].cards : [])
const isTemplate = (name: string): name is DashboardTemplateName => Object.hasOwn(templates, name)

/** Changes the dashboard's name and description. */
export async function renameDashboard(slug: unknown, id: unknown, form: unknown): Promise<ActionResult> {
  const formData = asFormData(form)
  return await changeDashboard(slug, id, {
    name: formData.get('name'),
    description: formData.get('description'),
  })
}

export async function saveView(slug: unknown, id: unknown, overrides: unknown): Promise<ActionResult> {
  return await changeDashboard(slug, id, { look: overrides ?? null })
}

async function changeDashboard(slug: unknown, id: unknown, change: object): Promise<ActionResult> {
  const outcome = await runProjectChange(slug, ({ dashboards }, projectId, viewer) =>
    dashboards.change(projectId, asText(id), change, viewer),
  )
  return mapOutcome(outcome, () => ({}))
}

/** The result of a change to cards, with the version to restore on undo. */
type UndoableResult = ActionResult<{ before: number }>

export async function arrangeCards(slug: unknown, id: unknown, places: unknown): Promise<UndoableResult> {
  const outcome = await runProjectChange(slug, ({ dashboards }, projectId, viewer) =>
    dashboards.arrange(projectId, asText(id), { places }, viewer),
  )
  return mapOutcome(outcome, ({ before }) => ({ before }))
}

export async function addCard(slug: unknown, id: unknown, content: unknown): Promise<UndoableResult> {
  const outcome = await runProjectChange(slug, ({ dashboards }, projectId, viewer) =>
    dashboards.addCard(projectId, asText(id), { content }, viewer),
  )
  return mapOutcome(outcome, ({ before }) => ({ before }))
}

export async function changeCard(
  slug: unknown,
  id: unknown,
  card: unknown,
  content: unknown,
): Promise<UndoableResult> {
  const outcome = await runProjectChange(slug, ({ dashboards }, projectId, viewer) =>
    dashboards.changeCard(projectId, asText(id), asText(card), content, viewer),
  )
  return mapOutcome(outcome, ({ before }) => ({ before }))
}

export async function removeCard(slug: unknown, id: unknown, card: unknown): Promise<UndoableResult> {
  const outcome = await runProjectChange(slug, ({ dashboards }, projectId, viewer) =>
    dashboards.removeCard(projectId, asText(id), asText(card), viewer),
  )
  return mapOutcome(outcome, ({ before }) => ({ before }))
}

export async function restoreLayout(slug: unknown, id: unknown, version: unknown): Promise<UndoableResult> {
  const outcome = await runProjectChange(slug, ({ dashboards }, projectId, viewer) =>
    dashboards.restoreVersion(projectId, asText(id), asNumber(version), viewer),
  )
  return mapOutcome(outcome, ({ before }) => ({ before }))
}

export async function duplicateDashboard(slug: unknown, id: unknown): Promise<ActionResult<{ id: string }>> {
  const outcome = await runProjectChange(slug, ({ dashboards }, projectId, viewer) =>
    dashboards.duplicate(projectId, asText(id), viewer),
  )
  return mapOutcome(outcome, ({ dashboard }) => ({ id: dashboard.id }))
}

export async function archiveDashboard(slug: unknown, id: unknown): Promise<ActionResult> {
  const outcome = await runProjectChange(slug, ({ dashboards }, projectId, viewer) =>
    dashboards.archive(projectId, asText(id), viewer),
  )
  return mapOutcome(outcome, () => ({}))
}

export async function restoreDashboard(slug: unknown, id: unknown): Promise<ActionResult> {
  const outcome = await runProjectChange(slug, ({ dashboards }, projectId, viewer) =>
    dashboards.restore(projectId, asText(id), viewer),
  )
  return mapOutcome(outcome, () => ({}))
}

/** Without an id, the project begins with its usual Home again. */
export async function chooseHome(slug: unknown, id: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ dashboards }, projectId, viewer) =>
    dashboards.chooseHome(projectId, asText(id) || undefined, viewer),
  )
}

/** Returns the query that the builder starts with for an insight kind. */
export async function defaultQuery(
  slug: unknown,
  kind: unknown,
): Promise<ActionResult<{ question: object }>> {
  const viewer = await requireViewer()
  return await catchRefusals(async () => {
    const { id } = getProduct().projects.find(asText(slug), viewer)
    const { question } = await startingQuery(id, { asked: undefined, kind: asText(kind) }, viewer)
    return { done: true, question }
  })
}
