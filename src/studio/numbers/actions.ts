'use server'

import { queryFrom } from '#insights/text/query-text'
import { getProduct } from '#studio/product'
import { requireViewer } from '#studio/viewer'
import type { ActionResult } from '#studio/parts/action-result'
import { asText } from '#studio/parts/form-data'
import { tryEngine } from '#studio/parts/refusals'
import { jsonOf } from './people-of-number'

/** Counts the persons behind a number. Changes nothing, so no page is rendered again. */
export async function countNumber(
  slug: unknown,
  q: unknown,
  point: unknown,
): Promise<ActionResult<{ total: number }>> {
  const viewer = await requireViewer()
  const { people, projects } = getProduct()
  return await tryEngine(() =>
    people.countBehind(
      projects.find(asText(slug), viewer).id,
      queryFrom(asText(q)),
      jsonOf(asText(point)),
      viewer,
    ),
  )
}
