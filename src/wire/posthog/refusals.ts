import type { Project } from '#projects/project'
import { jsonResponse } from '../internal/responses'
import type {
  NotNowReason,
  UnopenedRequest,
  WireServices,
  WireRefusal,
  WireResponse,
  WireRequest,
} from '../dialect'
import { bearerToken } from '../internal/bearer-token'
import { isProperties, type UnreadableBody } from '../decode-body'
import { isWithoutKey, textsUnder } from '../internal/shown-keys'
import { keyNames, keyOfEvent } from './internal/capture-batch'

interface RefusalCode {
  status: number
  type: 'validation_error' | 'authentication_error'
  code: string
}

/** PostHog's code of each refusal. All are permanent: SDKs discard their events after one. */
const refusalCodes: Record<
  | Exclude<WireRefusal['reason'], 'survey-answers' | NotNowReason>
  | 'empty'
  | 'no-event'
  | 'no-distinct-id'
  | 'foreign-key'
  | 'unknown-encoding',
  RefusalCode
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

export function refusalResponse(
  why: keyof typeof refusalCodes,
  detail: string,
  status?: number,
): WireResponse {
  const { status: usual, type, code } = refusalCodes[why]
  return jsonResponse(status ?? usual, { type, code, detail, attr: null })
}

export function refuseUnreadable({ why, detail }: UnreadableBody, services: WireServices): WireResponse {
  services.noteRefusal({ dialect: 'posthog', reason: why === 'too-large' ? 'too-large' : 'unreadable' })
  return refusalResponse(why, detail)
}

/** An unknown key gets 404 for scripts in browsers, and 401 for events. */
export function refuseKey(key: string | undefined, services: WireServices, status?: 404): WireResponse {
  noteUnknownKey(key, services)
  if (key === undefined)
    return refusalResponse(
      'no-key',
      'No project key was sent. Copy it from Settings → Project into the SDK.',
      status,
    )
  return refusalResponse(
    'unknown-key',
    `Unknown project key "${abbreviateKey(key)}". Copy it from Settings → Project.`,
    status,
  )
}

export function noteUnknownKey(key: string | undefined, services: WireServices): void {
  services.noteRefusal(
    key === undefined
      ? { dialect: 'posthog', reason: 'no-key' }
      : { dialect: 'posthog', reason: 'unknown-key', named: key.slice(0, longestKey) },
  )
}

/**
 * Refuses an unknown key in the address, before the body is uncompressed to find another one, or before its events, or in
 * the first of them; and a large body that shows no key of a project before it is parsed.
 */
export function refuseUnknownKey(request: UnopenedRequest, services: WireServices): WireResponse | undefined {
  const { query, leading } = request
  const ofBatch = leading?.next === 'batch' ? leading.texts.get('api_key') : undefined
  const named = [query.get('token') ?? query.get('api_key'), ofBatch, keyOfListed(leading)]
  return refuseUnknown(named, services) ?? refuseWithoutKey(request, services)
}

/** Does the same where a key in the headers comes before one in the body. */
export function refuseUnknownBearer(
  request: UnopenedRequest,
  services: WireServices,
): WireResponse | undefined {
  return refuseUnknown([projectKeyOf(request)], services) ?? refuseWithoutKey(request, services)
}

/** The key of the first event, if the body is a list of events. */
const keyOfListed = (leading: UnopenedRequest['leading']): string | undefined =>
  leading?.next === undefined && leading?.texts.size === 0 && isProperties(leading.first)
    ? keyOfEvent(leading.first, false)
    : undefined

function refuseWithoutKey(request: UnopenedRequest, services: WireServices): WireResponse | undefined {
  const { content } = request
  const isKnown = (key: string): boolean => services.findProject(key) !== undefined
  const outside = projectKeyOf(request)
  if (!content || (outside && isKnown(outside)) || !isWithoutKey(content, keyNames, isKnown)) return undefined
  return refuseKey(textsUnder(keyNames, content).next().value ?? outside, services)
}

function refuseUnknown(
  keys: readonly (string | null | undefined)[],
  services: WireServices,
): WireResponse | undefined {
  const unknown = keys.map((key) => key?.trim()).find((key) => key && !services.findProject(key))
  return unknown ? refuseKey(unknown, services) : undefined
}

export function refuseMixedKeys(
  keys: readonly string[],
  project: Project | undefined,
  services: WireServices,
): WireResponse {
  const named = keys[0]?.slice(0, longestKey)
  services.noteRefusal({ dialect: 'posthog', reason: 'mixed-keys', named, projectId: project?.id })
  return refusalResponse(
    'mixed-keys',
    'The events of one request are of several projects. Send one request for each.',
  )
}

/** Longer than any key; longer texts are truncated. */
const longestKey = 100

const abbreviateKey = (key: string): string => (key.length > 12 ? `${key.slice(0, 12)}…` : key)

/** The project key outside the body. */
export const projectKeyOf = (request: Pick<WireRequest, 'query' | 'headers'>): string | undefined =>
  request.query.get('token') ?? request.query.get('api_key') ?? bearerToken(request)
