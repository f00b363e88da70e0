'use server'

import type { CohortName } from '#persons/cohort'
import type { PropertyOption, ValueOption } from '#insights/text/name-suggestions'
import { getProduct } from '#studio/product'
import { requireViewer } from '#studio/viewer'
import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { asText } from '#studio/parts/form-data'
import { catchRefusals } from '#studio/parts/refusals'

export interface PropertySuggestions {
  properties: readonly PropertyOption[]
  cohorts: readonly CohortName[]
}

/** Suggests the properties that conditions can use in this project. */
export async function suggestProperties(
  slug: unknown,
  of: unknown,
  event: unknown,
): Promise<ActionResult<PropertySuggestions>> {
  const { projects } = getProduct()
  const { cohorts } = getProduct().people
  const { names } = getProduct().insights
  const viewer = await requireViewer()
  return await catchRefusals(async () => {
    const { id } = projects.find(asText(slug), viewer)
    const types = Array.isArray(of) ? of : []
    const properties = types.filter((one) => one !== 'cohort')
    const found =
      properties.length > 0
        ? await names.properties(id, { of: properties, event }, viewer)
        : noSuggestedProperties
    if (!found.done) return found
    return {
      done: true,
      properties: found.properties,
      cohorts: types.includes('cohort') ? await cohorts.names(id, viewer) : [],
    }
  })
}

const noSuggestedProperties = { done: true, properties: [] } as const

/** Returns recent values of a property, with their counts. */
export async function suggestValues(
  slug: unknown,
  request: unknown,
): Promise<ActionResult<{ values: readonly ValueOption[] }>> {
  const { projects } = getProduct()
  const { names } = getProduct().insights
  const viewer = await requireViewer()
  return await catchRefusals(async () =>
    names.values(projects.find(asText(slug), viewer).id, request, viewer),
  )
}

/** Suggests recent events for event fields. */
export async function suggestEvents(slug: unknown) {
  const { projects } = getProduct()
  const { names } = getProduct().insights
  const viewer = await requireViewer()
  return await catchRefusals(async () => ({
    done: true,
    events: await names.events(projects.find(asText(slug), viewer).id, viewer),
  }))
}

export interface PersonOption {
  distinctId: string
  name: string
}

/** Suggests persons by a part of a name, e-mail address or id, those seen last first. */
export async function suggestPersons(
  slug: unknown,
  search: unknown,
): Promise<ActionResult<{ persons: readonly PersonOption[] }>> {
  const { people, projects } = getProduct()
  const viewer = await requireViewer()
  const answer = await catchRefusals(() =>
    people.list(projects.find(asText(slug), viewer).id, { search: asText(search), perPage: 20 }, viewer),
  )
  return mapOutcome(answer, ({ persons }) => ({
    persons: persons.map(({ distinctId, label: { name } }) => ({ distinctId, name })),
  }))
}
