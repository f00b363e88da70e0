'use server'

import { z } from 'zod'
import type { PersonLabel } from '#insights/people/person-label'
import type { ActionResult } from '#studio/parts/action-result'
import { asText } from '#studio/parts/form-data'
import { catchRefusals } from '#studio/parts/refusals'
import { getProduct } from '#studio/product'
import { requireViewer } from '#studio/viewer'

/** Returns how the persons of events are shown. */
export async function namePersons(
  slug: unknown,
  ids: unknown,
): Promise<ActionResult<{ persons: readonly { id: string; label: PersonLabel }[] }>> {
  const { people, projects } = getProduct()
  const viewer = await requireViewer()
  const asked = z.array(z.string()).catch([]).parse(ids)
  return await catchRefusals(async () => ({
    done: true,
    persons: await people.labels(projects.find(asText(slug), viewer).id, asked, viewer),
  }))
}
