import { z } from 'zod'
import type { Right, Viewer } from '../../projects/access'
import type { Outcome } from '../../projects/problems'
import type { Project } from '../../projects/project'
import type { Product } from '../product'

/** One thing the management API can do. The list of them is the router, the guard and the description at once. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below /api/v1; `{project}` and the like name its parts. */
  path: `/${string}`
  summary: string
  /** What the key needs, for the description; the product itself decides. */
  right?: Right
  input?: z.ZodType
  query?: z.ZodObject
  answers: z.ZodType
  status?: 200 | 201
  answer: (call: Call) => Promise<Outcome<{ body: unknown }>>
}

export interface Call {
  product: Product
  viewer: Viewer
  input: unknown
  query: URLSearchParams
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal | undefined
  part: (name: string) => string
  /** The project the address names, if this viewer may see it. */
  project: () => Project
}

export const done = (body: unknown): { done: true; body: unknown } => ({ done: true, body })

/** Shows the outcome of a change through the same shape that reading it has. */
export function shownAs<Done>(
  outcome: Outcome<Done>,
  show: (done: Done) => unknown,
): Outcome<{ body: unknown }> {
  return outcome.done ? done(show(outcome)) : outcome
}

export const instant = z.iso.datetime().meta({ description: 'An instant in UTC' })
export const nothing = z.object({})
