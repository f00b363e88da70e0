'use server'

import type { EngineFailure } from '#engine/engine'
import { getFailures } from '#studio/product'
import { requireViewer } from '#studio/viewer'
import type { ActionResult } from '#studio/parts/action-result'
import { asText } from '#studio/parts/form-data'

/** The exception behind a failed page, as the page shows it. */
export interface FailureShown {
  title: string
  message: string
  since: Date
}

const titles: Partial<Record<EngineFailure, string>> = {
  corrupted: 'A part of the data cannot be read',
  unavailable: 'The engine is not available',
  deadline: 'The engine did not answer in time',
  memory: 'The engine ran out of memory',
  'disk-full': 'The disk of the engine is full',
}

/** Without a failure where the exception is for the log alone, or another front has drawn the page. */
export async function failureBehind(digest: unknown): Promise<ActionResult<{ failure?: FailureShown }>> {
  await requireViewer()
  const found = getFailures().find(asText(digest))
  if (!found) return { done: true }
  const title = found.engine ? (titles[found.engine] ?? 'The engine failed') : 'The store could not be used'
  return { done: true, failure: { title, message: found.message, since: found.since } }
}
