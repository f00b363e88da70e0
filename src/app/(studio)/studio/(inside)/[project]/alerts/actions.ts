'use server'

import type { Verdict } from '../../../../../../alerts/condition'
import type { Told } from '../../../../../../alerts/deliveries'
import type { Course } from '../../../../../../alerts/reading'
import { getProduct } from '../../../../../product'
import { requireViewer } from '../../../../../viewer'
import { type Answer, notDone, told } from '../../../../answer'
import { textIn } from '../../../../given'
import { answering, changingProject } from '../../../../refusals'

/** Without an id it is a new one. */
export async function saveAlert(slug: unknown, id: unknown, draft: unknown): Promise<Answer<{ id: string }>> {
  const answer = await changingProject(slug, ({ alerts }, projectId, viewer) =>
    id === undefined
      ? alerts.create(projectId, draft, viewer)
      : alerts.change(projectId, textIn(id), draft, viewer),
  )
  return told(answer, ({ alert }) => ({ id: alert.id }))
}

export async function removeAlert(slug: unknown, id: unknown): Promise<Answer> {
  return await changingProject(slug, ({ alerts }, projectId, viewer) =>
    alerts.remove(projectId, textIn(id), viewer),
  )
}

export async function muteAlert(slug: unknown, id: unknown, hours: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ alerts }, projectId, viewer) =>
    alerts.mute(projectId, textIn(id), { hours }, viewer),
  )
  return told(answer, () => ({}))
}

export async function testAlert(
  slug: unknown,
  id: unknown,
): Promise<Answer<{ verdict: Verdict; told: string[] }>> {
  return await changingProject(slug, ({ alerts }, projectId, viewer) =>
    alerts.test(projectId, textIn(id), viewer),
  )
}

/** What was told of an alert lately, and what came of it: asked again while a test is on its way. */
export async function whatWasTold(slug: unknown, id: unknown): Promise<Answer<{ told: Told[] }>> {
  const viewer = await requireViewer()
  const { projects, alerts } = getProduct()
  return await answering(() => alerts.told(projects.find(textIn(slug), viewer).id, textIn(id), viewer))
}

/** The numbers behind an alert that is being set up. */
export async function courseFor(slug: unknown, draft: unknown): Promise<Answer<{ course: Course }>> {
  const viewer = await requireViewer()
  const { projects, alerts } = getProduct()
  try {
    return await answering(() => alerts.course(projects.find(textIn(slug), viewer).id, draft, viewer))
  } catch (problem) {
    // Next compiled the class anew for its pages, so `instanceof` would not know the product's own
    if (!(problem instanceof Error) || problem.name !== 'EngineError') throw problem
    return notDone(problem.message)
  }
}

export async function saveReport(
  slug: unknown,
  id: unknown,
  draft: unknown,
): Promise<Answer<{ id: string }>> {
  const answer = await changingProject(slug, ({ reports }, projectId, viewer) =>
    id === undefined
      ? reports.create(projectId, draft, viewer)
      : reports.change(projectId, textIn(id), draft, viewer),
  )
  return told(answer, ({ report }) => ({ id: report.id }))
}

export async function removeReport(slug: unknown, id: unknown): Promise<Answer> {
  return await changingProject(slug, ({ reports }, projectId, viewer) =>
    reports.remove(projectId, textIn(id), viewer),
  )
}

export async function sendReport(slug: unknown, id: unknown): Promise<Answer> {
  const answer = await changingProject(slug, ({ reports }, projectId, viewer) =>
    reports.sendNow(projectId, textIn(id), viewer),
  )
  return told(answer, () => ({}))
}
