import { json } from '../answers'
import type { Desk, WireAnswer, WireRequest } from '../dialect'
import { bearerOf, refusal } from './refusals'

/** What a server SDK needs in order to decide flags by itself; there are none yet, and an SDK is content with that. */
const definitions = {
  flags: [],
  group_type_mapping: {},
  cohorts: {},
  property_matching_version: 2,
  minimal_flag_called_events: false,
}

const etag = 'W/"0"'

/** Definitions hold rules about people, and a public write key is not enough to read them. */
export function answerDefinitions(request: WireRequest, desk: KeyDesk): WireAnswer {
  if (!isLetIn(request, desk)) return noSecret()
  const headers = { etag, 'cache-control': 'private, must-revalidate' }
  if (request.headers['if-none-match'] === etag) return { ...json(304, undefined, headers), body: undefined }
  return json(200, definitions, headers)
}

export function answerRemotePayload(request: WireRequest, desk: KeyDesk): WireAnswer {
  if (!isLetIn(request, desk)) return noSecret()
  return json(404, {
    type: 'invalid_request',
    code: 'not_found',
    detail: `There is no flag "${request.parts['key'] ?? ''}".`,
    attr: null,
  })
}

/** A desk that knows secret keys as well. */
export interface KeyDesk extends Desk {
  /** The project whose flags this secret key may read. */
  projectOfSecret?: (secret: string) => { id: number } | undefined
}

/** The address may name a project, too: then it must be the secret's. */
function isLetIn(request: WireRequest, desk: KeyDesk): boolean {
  const secret = bearerOf(request)
  const project = secret === undefined ? undefined : desk.projectOfSecret?.(secret)
  const key = request.query.get('token')
  return project !== undefined && (!key || desk.projectNamed(key)?.id === project.id)
}

const noSecret = (): WireAnswer =>
  refusal('unknown-key', 'Send a secret key that may read flags: Authorization: Bearer … (Settings → Keys).')
