'use server'

import { questionFrom } from '../../../../../../insights/question-text'
import type { Matching } from '../../../../../../insights/people-found'
import { getProduct } from '../../../../../product'
import { requireViewer } from '../../../../../viewer'
import { type Answer, told } from '../../../../answer'
import { formIn, textIn } from '../../../../given'
import { answering, changingProject } from '../../../../refusals'
import { jsonIn } from './question'

export async function keepBehind(
  slug: unknown,
  question: unknown,
  point: unknown,
  form: unknown,
): Promise<Answer<{ id: string }>> {
  const answer = await changingProject(slug, ({ people }, projectId, viewer) =>
    people.keepBehind(
      projectId,
      questionFrom(textIn(question)),
      jsonIn(textIn(point)),
      { name: textIn(formIn(form).get('name')) },
      viewer,
    ),
  )
  return told(answer, ({ cohort }) => ({ id: cohort.id }))
}

/** Nothing is changed, so no page is drawn anew for it. */
export async function countMatching(slug: unknown, definition: unknown): Promise<Answer<Matching>> {
  const { people, projects } = getProduct()
  const viewer = await requireViewer()
  return await answering(async () =>
    people.matching(projects.find(textIn(slug), viewer).id, definition, viewer),
  )
}

export async function saveCohort(
  slug: unknown,
  id: unknown,
  cohort: unknown,
): Promise<Answer<{ id: string }>> {
  const answer = await changingProject(slug, ({ cohorts }, projectId, viewer) =>
    typeof id === 'string'
      ? cohorts.change(projectId, id, cohort, viewer)
      : cohorts.create(projectId, cohort, viewer),
  )
  return told(answer, ({ cohort: saved }) => ({ id: saved.id }))
}

export async function removeCohort(slug: unknown, id: unknown): Promise<Answer> {
  return await changingProject(slug, ({ cohorts }, projectId, viewer) =>
    cohorts.remove(projectId, textIn(id), viewer),
  )
}

const shownMissing = 20

export async function cohortFromFile(
  slug: unknown,
  form: unknown,
): Promise<Answer<{ id: string; found: number; missing: string[]; missingMore: number }>> {
  const given = formIn(form)
  const answer = await changingProject(slug, ({ people }, projectId, viewer) =>
    people.cohortFromLines(
      projectId,
      { name: textIn(given.get('name')), text: textIn(given.get('text')) },
      viewer,
    ),
  )
  return told(answer, ({ cohort, found, missing }) => ({
    id: cohort.id,
    found,
    missing: missing.slice(0, shownMissing),
    missingMore: Math.max(0, missing.length - shownMissing),
  }))
}

export async function addToCohort(slug: unknown, cohort: unknown, person: unknown): Promise<Answer> {
  return await changingProject(slug, async ({ cohorts }, projectId, viewer) => {
    const added = await cohorts.addPersons(projectId, textIn(cohort), { persons: [person] }, viewer)
    return added.done ? { done: true } : added
  })
}

export async function erasePerson(slug: unknown, person: unknown): Promise<Answer> {
  return await changingProject(slug, async ({ erasures }, projectId, viewer) => {
    await erasures.ask(projectId, textIn(person), viewer)
    return { done: true }
  })
}
