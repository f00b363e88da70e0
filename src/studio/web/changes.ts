'use server'

import { isDimensionName, isDimensionOperator } from '#insights/text/dimension-words'
import type { ActionResult } from '#studio/parts/action-result'
import { failedWith, mapOutcome } from '#studio/parts/action-result'
import { asFormData, asText } from '#studio/parts/form-data'
import { runProjectChange } from '#studio/parts/refusals'
import { type Chip, filterOf } from './web-query'

export async function saveSegment(
  slug: unknown,
  chips: unknown,
  base: unknown,
  form: unknown,
): Promise<ActionResult> {
  const formData = asFormData(form)
  return await runProjectChange(slug, async ({ projects, insights }, projectId, viewer) => {
    const { segments } = insights
    const known = await segments.list(projectId, viewer)
    const { pageGroups } = insights.settingsOf(projects.find(String(projectId), viewer))
    const segment = known.find(({ id }) => id === base)?.filter
    const filter = filterOf({ chips: chipsIn(chips) }, segment, pageGroups)
    if (!filter) return failedWith('Add a filter first: select a row.')
    const segmentInput = { name: formData.get('name'), filter, isShared: formData.has('isShared') }
    return mapOutcome(await segments.create(projectId, segmentInput, viewer), () => ({}))
  })
}

export async function removeSegment(slug: unknown, id: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ insights: { segments } }, projectId, viewer) =>
    segments.remove(projectId, asText(id), viewer),
  )
}

export async function saveGoal(slug: unknown, id: unknown, form: unknown): Promise<ActionResult> {
  const goalInput = goalIn(asFormData(form))
  return await runProjectChange(slug, async ({ insights }, projectId, viewer) => {
    const { goals } = insights
    const outcome =
      asText(id) === ''
        ? await goals.create(projectId, goalInput, viewer)
        : await goals.change(projectId, asText(id), goalInput, viewer)
    return mapOutcome(outcome, () => ({}))
  })
}

export async function removeGoal(slug: unknown, id: unknown): Promise<ActionResult> {
  return await runProjectChange(slug, ({ insights: { goals } }, projectId, viewer) =>
    goals.remove(projectId, asText(id), viewer),
  )
}

/** A form says what belongs to the type that was chosen. */
function goalIn(form: FormData) {
  const [type, path, event] = ['type', 'path', 'event'].map((name) => form.get(`goal.${name}`) ?? undefined)
  return { name: form.get('name'), goal: { type, path, event, depth: Number(form.get('goal.depth')) } }
}

function chipsIn(value: unknown): Chip[] {
  return Array.isArray(value) ? value.flatMap(chipIn) : []
}

/** Parses untrusted input of a server action. */
function chipIn(value: unknown): Chip[] {
  if (typeof value !== 'object' || value === null) return []
  const { dimension, operator, values } = value as Partial<Record<keyof Chip, unknown>> // validated below
  if (typeof dimension !== 'string' || !isDimensionName(dimension) || !Array.isArray(values)) return []
  if (typeof operator !== 'string' || !isDimensionOperator(operator)) return []
  return [{ dimension, operator, values: values.map(asText) }]
}
