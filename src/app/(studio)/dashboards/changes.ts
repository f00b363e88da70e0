'use server'

import { type TemplateName, templates } from '../../../dashboards/templates'
import { type Answer, told } from '../answer'
import { formIn, textIn } from '../given'
import { startFor } from '../insights/start'
import { answering, changingProject } from '../refusals'
import { getProduct } from '../../product'
import { requireViewer } from '../../viewer'

export async function createDashboard(slug: unknown, form: unknown): Promise<Answer<{ id: string }>> {
  const given = formIn(form)
  const wanted = { name: given.get('name'), cards: cardsOf(textIn(given.get('template'))) }
  const outcome = await changingProject(slug, ({ dashboards }, projectId, viewer) =>
    dashboards.create(projectId, wanted, viewer),
  )
  return told(outcome, ({ dashboard }) => ({ id: dashboard.id }))
}

const cardsOf = (name: string) => (isTemplate(name) ? templates[name].cards : [])
const isTemplate = (name: string): name is TemplateName => Object.hasOwn(templates, name)

/** Its name and its description. */
export async function renameDashboard(slug: unknown, id: unknown, form: unknown): Promise<Answer> {
  const given = formIn(form)
  return await changed(slug, id, { name: given.get('name'), description: given.get('description') })
}

export async function keepLook(slug: unknown, id: unknown, look: unknown): Promise<Answer> {
  return await changed(slug, id, { look })
}

async function changed(slug: unknown, id: unknown, change: object): Promise<Answer> {
  const outcome = await changingProject(slug, ({ dashboards }, projectId, viewer) =>
    dashboards.change(projectId, textIn(id), change, viewer),
  )
  return told(outcome, () => ({}))
}

/** What is told of a change of cards: which version to go back to. */
type Undoable = Answer<{ before: number }>

export async function arrangeCards(slug: unknown, id: unknown, places: unknown): Promise<Undoable> {
  const outcome = await changingProject(slug, ({ dashboards }, projectId, viewer) =>
    dashboards.arrange(projectId, textIn(id), { places }, viewer),
  )
  return told(outcome, ({ before }) => ({ before }))
}

export async function addCard(slug: unknown, id: unknown, content: unknown): Promise<Undoable> {
  const outcome = await changingProject(slug, ({ dashboards }, projectId, viewer) =>
    dashboards.addCard(projectId, textIn(id), { content }, viewer),
  )
  return told(outcome, ({ before }) => ({ before }))
}

export async function changeCard(
  slug: unknown,
  id: unknown,
  card: unknown,
  content: unknown,
): Promise<Undoable> {
  const outcome = await changingProject(slug, ({ dashboards }, projectId, viewer) =>
    dashboards.changeCard(projectId, textIn(id), textIn(card), content, viewer),
  )
  return told(outcome, ({ before }) => ({ before }))
}

export async function removeCard(slug: unknown, id: unknown, card: unknown): Promise<Undoable> {
  const outcome = await changingProject(slug, ({ dashboards }, projectId, viewer) =>
    dashboards.removeCard(projectId, textIn(id), textIn(card), viewer),
  )
  return told(outcome, ({ before }) => ({ before }))
}

export async function restoreLayout(slug: unknown, id: unknown, version: unknown): Promise<Undoable> {
  const outcome = await changingProject(slug, ({ dashboards }, projectId, viewer) =>
    dashboards.restoreVersion(projectId, textIn(id), Number(version), viewer),
  )
  return told(outcome, ({ before }) => ({ before }))
}

export async function duplicateDashboard(slug: unknown, id: unknown): Promise<Answer<{ id: string }>> {
  const outcome = await changingProject(slug, ({ dashboards }, projectId, viewer) =>
    dashboards.duplicate(projectId, textIn(id), viewer),
  )
  return told(outcome, ({ dashboard }) => ({ id: dashboard.id }))
}

export async function archiveDashboard(slug: unknown, id: unknown): Promise<Answer> {
  const outcome = await changingProject(slug, ({ dashboards }, projectId, viewer) =>
    dashboards.archive(projectId, textIn(id), viewer),
  )
  return told(outcome, () => ({}))
}

export async function restoreDashboard(slug: unknown, id: unknown): Promise<Answer> {
  const outcome = await changingProject(slug, ({ dashboards }, projectId, viewer) =>
    dashboards.restore(projectId, textIn(id), viewer),
  )
  return told(outcome, () => ({}))
}

/** Without an id, the project begins with its usual Home again. */
export async function chooseHome(slug: unknown, id: unknown): Promise<Answer> {
  return await changingProject(slug, ({ dashboards }, projectId, viewer) =>
    dashboards.chooseHome(projectId, textIn(id) || undefined, viewer),
  )
}

/** What a kind usually asks, for whoever begins to build a question. */
export async function usualQuestion(slug: unknown, kind: unknown): Promise<Answer<{ question: object }>> {
  const viewer = await requireViewer()
  return await answering(async () => {
    const { id } = getProduct().projects.find(textIn(slug), viewer)
    const { question } = await startFor(id, { asked: undefined, kind: textIn(kind) }, viewer)
    return { done: true, question }
  })
}
