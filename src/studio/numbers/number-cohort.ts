import { queryFrom } from '#insights/text/query-text'
import type { MemberViewer } from '#projects/access'
import type { Outcome } from '#projects/problems'
import type { Product } from '#server/product'
import { asText } from '#studio/parts/form-data'
import { jsonOf } from './people-of-number'

/** Makes a cohort of the persons behind a number. */
export async function createNumberCohort(
  { people }: Pick<Product, 'people'>,
  projectId: number,
  input: unknown,
  viewer: MemberViewer,
): Promise<Outcome<{ cohort: { id: string; name: string } }>> {
  // the product refuses a viewer without the right before it says what is wrong with the input
  const { q, point, name, isLive }: Record<string, unknown> = Object(input)
  const fields = { name: asText(name), isLive: isLive === true }
  return await people.saveBehindAsCohort(
    projectId,
    queryFrom(asText(q)),
    jsonOf(asText(point)),
    fields,
    viewer,
  )
}

/** Makes a cohort, and with it what is for its persons; without the second, the first is removed again. */
export async function withNumberCohort<Made>(
  product: Pick<Product, 'people'>,
  projectId: number,
  input: unknown,
  viewer: MemberViewer,
  make: (isMember: { type: 'cohort'; cohort: string; operator: 'in' }) => Promise<Outcome<Made>>,
): Promise<Outcome<Made>> {
  const created = await createNumberCohort(product, projectId, input, viewer)
  if (!created.done) return created
  const { id } = created.cohort
  let isMade = false
  try {
    const made = await make({ type: 'cohort', cohort: id, operator: 'in' })
    isMade = made.done
    return made
  } finally {
    if (!isMade) await product.people.cohorts.remove(projectId, id, viewer)
  }
}
