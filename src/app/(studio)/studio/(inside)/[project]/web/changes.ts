'use server'

import { isDimensionName } from '../../../../../../insights/dimension-words'
import type { Answer } from '../../../../answer'
import { notDone, told } from '../../../../answer'
import { formIn, textIn } from '../../../../given'
import { changingProject } from '../../../../refusals'
import { type Chip, filterOf } from './question'

export async function saveSegment(
  slug: unknown,
  chips: unknown,
  base: unknown,
  form: unknown,
): Promise<Answer> {
  const given = formIn(form)
  return await changingProject(slug, async ({ segments }, projectId, viewer) => {
    const known = await segments.list(projectId, viewer)
    const filter = filterOf({ chips: chipsIn(chips) }, known.find(({ id }) => id === base)?.filter)
    if (!filter) return notDone('Narrow the page first, by a press on any row.')
    const wanted = { name: given.get('name'), filter, isShared: given.has('isShared') }
    return told(await segments.create(projectId, wanted, viewer), () => ({}))
  })
}

export async function removeSegment(slug: unknown, id: unknown): Promise<Answer> {
  return await changingProject(slug, ({ segments }, projectId, viewer) =>
    segments.remove(projectId, textIn(id), viewer),
  )
}

export async function saveGoal(slug: unknown, id: unknown, form: unknown): Promise<Answer> {
  const wanted = goalIn(formIn(form))
  return await changingProject(slug, async ({ goals }, projectId, viewer) => {
    const outcome =
      textIn(id) === ''
        ? await goals.create(projectId, wanted, viewer)
        : await goals.change(projectId, textIn(id), wanted, viewer)
    return told(outcome, () => ({}))
  })
}

export async function removeGoal(slug: unknown, id: unknown): Promise<Answer> {
  return await changingProject(slug, ({ goals }, projectId, viewer) =>
    goals.remove(projectId, textIn(id), viewer),
  )
}

/** A form says what belongs to the type that was chosen. */
function goalIn(form: FormData) {
  const [type, path, event] = ['type', 'path', 'event'].map((name) => form.get(`goal.${name}`) ?? undefined)
  return { name: form.get('name'), goal: { type, path, event, depth: Number(form.get('goal.depth')) } }
}

function chipsIn(given: unknown): Chip[] {
  return Array.isArray(given) ? given.flatMap(chipIn) : []
}

/** Sent by a page of ours, or by somebody who pretends to be one. */
function chipIn(given: unknown): Chip[] {
  if (typeof given !== 'object' || given === null) return []
  const { dimension, isNot, values } = given as Partial<Record<keyof Chip, unknown>> // looked at right here
  if (typeof dimension !== 'string' || !isDimensionName(dimension) || !Array.isArray(values)) return []
  return [{ dimension, isNot: isNot === true, values: values.map(textIn) }]
}
