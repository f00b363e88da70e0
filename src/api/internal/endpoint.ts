import { z } from 'zod'
import type { Right, Viewer } from '#projects/access'
import type { FailedOutcome, Outcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Product } from '#server/product'

/** An operation of the management API. The list of them is the router, the guard and the OpenAPI document at once. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below /api/v1; `{project}` and the like name its parts. */
  path: `/${string}`
  summary: string
  /** The right that the key needs, for the description; the product itself checks it. */
  right?: Right
  /** Further rights that the key needs: those of other things that are changed as well, or shown. */
  alsoRights?: readonly Right[]
  input?: z.ZodType
  /** The refusal of an input in another product's form, in place of a list of all fields that are unknown. */
  refusalOf?: (input: unknown) => FailedOutcome | undefined
  query?: z.ZodObject
  responseSchema: z.ZodType
  /** Content types of the body besides JSON. */
  otherContentTypes?: readonly string[]
  status?: 200 | 201
  /** A `StreamedBody` is sent as it is, any other body as JSON. */
  handle: (call: EndpointCall) => Promise<Outcome<{ body: unknown }>>
  /** Answers by the JSON of the input, for inputs that are large. Returns undefined to leave the answer to `handle`. */
  handleJson?: (
    call: Omit<EndpointCall, 'input'>,
    json: Uint8Array,
  ) => Promise<Outcome<{ body: unknown }> | undefined>
}

export interface EndpointCall {
  product: Product
  viewer: Viewer
  input: unknown
  query: URLSearchParams
  /** Aborted when the client disconnects. */
  signal: AbortSignal | undefined
  pathParameter: (name: string) => string
  /** The project that the address names, if the key belongs to it. */
  project: () => Pick<Project, 'id'>
}

/** All rights that the key needs. */
export const rightsOf = ({
  right,
  alsoRights = [],
}: Pick<Endpoint, 'right' | 'alsoRights'>): readonly Right[] =>
  right === undefined ? [] : [right, ...alsoRights]

export const success = (body: unknown): { done: true; body: unknown } => ({ done: true, body })

/** Shows the outcome of a change through the same shape that reading it has. */
export function mapOutcome<Done>(
  outcome: Outcome<Done>,
  show: (done: Done) => unknown,
): Outcome<{ body: unknown }> {
  return outcome.done ? success(show(outcome)) : outcome
}

export const nothing = z.object({})
