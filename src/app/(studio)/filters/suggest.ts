'use server'

import type { CohortName } from '../../../persons/cohort'
import type { PropertySeen, ValueSeen } from '../../../insights/names'
import { getProduct } from '../../product'
import { requireViewer } from '../../viewer'
import type { Answer } from '../answer'
import { textIn } from '../given'
import { answering } from '../refusals'

export interface Suggested {
  properties: readonly PropertySeen[]
  cohorts: readonly CohortName[]
}

/** What conditions can be made of in this project. */
export async function suggestProperties(
  slug: unknown,
  of: unknown,
  event: unknown,
): Promise<Answer<Suggested>> {
  const { names, cohorts, projects } = getProduct()
  const viewer = await requireViewer()
  return await answering(async () => {
    const { id } = projects.find(textIn(slug), viewer)
    const whom = Array.isArray(of) ? of : []
    const properties = whom.filter((one) => one !== 'cohort')
    const found = properties.length > 0 ? await names.properties(id, { of: properties, event }, viewer) : none
    if (!found.done) return found
    return {
      done: true,
      properties: found.properties,
      cohorts: whom.includes('cohort') ? await cohorts.names(id, viewer) : [],
    }
  })
}

const none = { done: true, properties: [] } as const

/** Values that a property had of late, with how often. */
export async function suggestValues(
  slug: unknown,
  question: unknown,
): Promise<Answer<{ values: readonly ValueSeen[] }>> {
  const { names, projects } = getProduct()
  const viewer = await requireViewer()
  return await answering(async () => names.values(projects.find(textIn(slug), viewer).id, question, viewer))
}

/** Events that came in of late, for whoever has to choose one. */
export async function suggestEvents(slug: unknown) {
  const { names, projects } = getProduct()
  const viewer = await requireViewer()
  return await answering(async () => ({
    done: true,
    events: await names.events(projects.find(textIn(slug), viewer).id, viewer),
  }))
}
