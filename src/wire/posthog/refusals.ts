import type { Project } from '../../projects/project'
import { json } from '../answers'
import type { Desk, Refusal, WireAnswer, WireRequest } from '../dialect'
import { bearerOf } from '../keys'
import type { Unreadable } from '../unpack'

interface Words {
  status: number
  type: 'validation_error' | 'authentication_error'
  code: string
}

/** What each refusal is called on this wire. None of them is passing: an SDK that hears one throws its events away. */
const words: Record<
  Refusal['reason'] | 'empty' | 'no-event' | 'no-distinct-id' | 'foreign-key' | 'unknown-encoding',
  Words
> = {
  'no-key': { status: 401, type: 'authentication_error', code: 'missing_api_key' },
  'unknown-key': { status: 401, type: 'authentication_error', code: 'invalid_api_key' },
  'mixed-keys': { status: 401, type: 'authentication_error', code: 'inconsistent_api_key' },
  unreadable: { status: 400, type: 'validation_error', code: 'invalid_payload' },
  'unknown-encoding': { status: 415, type: 'validation_error', code: 'unsupported_encoding' },
  'too-large': { status: 413, type: 'validation_error', code: 'payload_too_large' },
  empty: { status: 400, type: 'validation_error', code: 'no_data' },
  'no-distinct-id': { status: 400, type: 'validation_error', code: 'missing_distinct_id' },
  'foreign-key': { status: 403, type: 'authentication_error', code: 'permission_denied' },
  'no-event': { status: 400, type: 'validation_error', code: 'invalid_event' },
}

export function refusal(why: keyof typeof words, detail: string, status?: number): WireAnswer {
  const { status: usual, type, code } = words[why]
  return json(status ?? usual, { type, code, detail, attr: null })
}

export function refuseUnreadable({ why, detail }: Unreadable, desk: Desk): WireAnswer {
  desk.noteRefusal({ dialect: 'posthog', reason: why === 'too-large' ? 'too-large' : 'unreadable' })
  return refusal(why, detail)
}

/** A browser asking for a script by a key that nobody has finds nothing; whoever sends something is not let in. */
export function refuseKey(key: string | undefined, desk: Desk, status?: 404): WireAnswer {
  if (key === undefined) {
    desk.noteRefusal({ dialect: 'posthog', reason: 'no-key' })
    return refusal('no-key', 'No project key was sent. Copy it from Settings → Project into the SDK.', status)
  }
  desk.noteRefusal({ dialect: 'posthog', reason: 'unknown-key', named: key.slice(0, longestKey) })
  return refusal(
    'unknown-key',
    `Unknown project key "${shown(key)}". Copy it from Settings → Project.`,
    status,
  )
}

export function refuseMixedKeys(
  keys: readonly string[],
  project: Project | undefined,
  desk: Desk,
): WireAnswer {
  const named = keys[0]?.slice(0, longestKey)
  desk.noteRefusal({ dialect: 'posthog', reason: 'mixed-keys', named, projectId: project?.id })
  return refusal(
    'mixed-keys',
    'The events of one request are of several projects. Send one request for each.',
  )
}

/** Longer than any key; what is longer need not be shown to the last letter. */
const longestKey = 100

const shown = (key: string): string => (key.length > 12 ? `${key.slice(0, 12)}…` : key)

/** The project key of a request whose body names none. */
export const keyOf = (request: WireRequest): string | undefined =>
  request.query.get('token') ?? request.query.get('api_key') ?? bearerOf(request)
