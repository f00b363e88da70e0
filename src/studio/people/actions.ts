'use server'

import { createElement, type ReactNode } from 'react'
import { z } from 'zod'
import { queryFrom } from '#insights/text/query-text'
import { parseInput } from '#projects/problems'
import type { MatchingPersons } from '#insights/people/person-records'
import { createNumberCohort } from '#studio/numbers/number-cohort'
import { getProduct } from '#studio/product'
import { requireViewer } from '#studio/viewer'
import { type ActionResult, failedWith, mapOutcome } from '#studio/parts/action-result'
import { asFormData, asText } from '#studio/parts/form-data'
import { catchRefusals, runProjectChange } from '#studio/parts/refusals'
import { EventFacts } from './EventFacts'
import { jsonIn } from './list-filter'

export async function savePeopleAsCohort(
  slug: unknown,
  query: unknown,
  point: unknown,
  form: unknown,
): Promise<ActionResult<{ id: string }>> {
  const answer = await runProjectChange(slug, ({ people }, projectId, viewer) =>
    people.saveBehindAsCohort(
      projectId,
      queryFrom(asText(query)),
      jsonIn(asText(point)),
      { name: asText(asFormData(form).get('name')) },
      viewer,
    ),
  )
  return mapOutcome(answer, ({ cohort }) => ({ id: cohort.id }))
}

export async function saveNumberCohort(
  slug: unknown,
  cohort: unknown,
): Promise<ActionResult<{ id: string }>> {
  const answer = await runProjectChange(slug, (product, projectId, viewer) =>
    createNumberCohort(product, projectId, cohort, viewer),
  )
  return mapOutcome(answer, (made) => ({ id: made.cohort.id }))
}

/** Changes nothing, so no page is rendered again. */
export async function countMatching(
  slug: unknown,
  definition: unknown,
): Promise<ActionResult<MatchingPersons>> {
  const { people, projects } = getProduct()
  const viewer = await requireViewer()
  return await catchRefusals(async () =>
    people.matching(projects.find(asText(slug), viewer).id, definition, viewer),
  )
}

/** Changes nothing either. The time of the event spares a search through all of them. */
export async function eventFacts(slug: unknown, event: unknown): Promise<ActionResult<{ facts: ReactNode }>> {
  const { people, projects } = getProduct()
  const viewer = await requireViewer()
  return await catchRefusals(async () => {
    const { id: projectId } = projects.find(asText(slug), viewer)
    const place = parseInput(eventPlace, event)
    if (!place.done) return place
    const { uuid, at } = place.value
    const until = new Date(at.getTime() + 1).toISOString()
    const asked = { uuid, from: at.toISOString(), until, limit: 1 }
    const found = await people.sentEvents(projectId, asked, viewer)
    if (!found.done) return found
    const [sent] = found.events
    return sent
      ? { done: true, facts: createElement(EventFacts, { event: sent }) }
      : failedWith('This event no longer exists.')
  })
}

const eventPlace = z.object({ uuid: z.uuid(), at: z.coerce.date() })

export async function saveCohort(
  slug: unknown,
  id: unknown,
  cohort: unknown,
): Promise<ActionResult<{ id: string }>> {
  const answer = await runProjectChange(slug, ({ people: { cohorts } }, projectId, viewer) =>
    typeof id === 'string'
      ? cohorts.change(projectId, id, cohort, viewer)
      : cohorts.create(projectId, cohort, viewer),
  )
  return mapOutcome(answer, ({ cohort: saved }) => ({ id: saved.id }))
}

export async function removeCohort(slug: unknown, id: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ people: { cohorts } }, projectId, viewer) =>
    cohorts.remove(projectId, asText(id), viewer),
  )
}

const maxListedMissing = 20

export async function cohortFromFile(
  slug: unknown,
  form: unknown,
): Promise<ActionResult<{ id: string; found: number; missing: string[]; missingMore: number }>> {
  const formData = asFormData(form)
  const answer = await runProjectChange(slug, ({ people }, projectId, viewer) =>
    people.cohortFromLines(
      projectId,
      { name: asText(formData.get('name')), text: asText(formData.get('text')) },
      viewer,
    ),
  )
  return mapOutcome(answer, ({ cohort, found, missing }) => ({
    id: cohort.id,
    found,
    missing: missing.slice(0, maxListedMissing),
    missingMore: Math.max(0, missing.length - maxListedMissing),
  }))
}

export async function addToCohort(slug: unknown, cohort: unknown, person: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, async ({ people }, projectId, viewer) => {
    const { cohorts } = people
    const added = await cohorts.addPersons(projectId, asText(cohort), { persons: [person] }, viewer)
    return added.done ? { done: true } : added
  })
}

export async function splitPerson(
  slug: unknown,
  person: unknown,
  distinctId: unknown,
): Promise<ActionResult> {
  const answer = await runProjectChange(slug, ({ people: { splits: personSplits } }, projectId, viewer) =>
    personSplits.ask(projectId, asText(person), { distinctId }, viewer),
  )
  return mapOutcome(answer, () => ({}))
}

export async function erasePerson(slug: unknown, person: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, async ({ people }, projectId, viewer) => {
    const { erasures } = people
    await erasures.ask(projectId, asText(person), viewer)
    return { done: true }
  })
}
