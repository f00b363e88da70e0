import type { Json, Properties } from '#events/event'
import type { FlagRequest, WireRequest } from '../../dialect'
import { trackerEnvelope } from '../../internal/tracker-events'
import { isProperties, decodeJsonBody } from '../../decode-body'
import {
  groupPropertiesOf,
  groupsOf,
  requestingHost,
  idOf,
  isVisitorUserAgent,
} from '../../internal/read-identity'
import type { OfrepAccess } from './access'
import type { OfrepFailure } from './failures'

type ContextResult = { read: true; asking: FlagRequest } | { read: false; failure: OfrepFailure }

/** Parses the evaluation context. Fields beside the reserved names below are properties of the person. */
export function parseContext(
  request: WireRequest,
  access: OfrepAccess,
  keys?: readonly string[],
): ContextResult {
  const body = decodeJsonBody(request)
  if (!body.read) return contextFailure('PARSE_ERROR', body.detail)
  if (!isProperties(body.what))
    return contextFailure('PARSE_ERROR', 'Send an object: {"context": {"targetingKey": "…"}}.')
  const context = body.what['context'] ?? {}
  if (!isProperties(context))
    return contextFailure('INVALID_CONTEXT', 'The context is an object: {"targetingKey": "…"}.')
  return flagRequestFrom(context, request, access, keys)
}

const contextFailure = (errorCode: OfrepFailure['errorCode'], errorDetails: string): ContextResult => ({
  read: false,
  failure: { errorCode, errorDetails },
})

function flagRequestFrom(
  { targetingKey, groups, groupProperties, deviceId, ...person }: Properties,
  request: WireRequest,
  { project, environment }: OfrepAccess,
  keys: readonly string[] | undefined,
): ContextResult {
  const distinctId = idOf(targetingKey)
  if (isPresent(targetingKey) && distinctId === '')
    return contextFailure(
      'INVALID_CONTEXT',
      'The targeting key is the visitor’s id, as a text that is not empty.',
    )
  if (distinctId === '')
    return contextFailure(
      'TARGETING_KEY_MISSING',
      'Send the visitor’s id in the context: {"targetingKey": "user-1"}.',
    )
  if (isPresent(groups) && !isProperties(groups))
    return contextFailure(
      'INVALID_CONTEXT',
      'Groups are named by their type: {"groups": {"company": "acme"}}.',
    )
  return {
    read: true,
    asking: {
      environment,
      distinctId,
      deviceId: idOf(deviceId) || idOf(person['$device_id']) || undefined,
      anonymousId: undefined,
      groups: groupsOf(groups),
      person,
      groupProperties: groupPropertiesOf(groupProperties),
      keys,
      contexts: undefined,
      host: requestingHost(request),
      mayLocate: true,
      envelope: trackerEnvelope(request, project, {
        dialect: 'ofrep',
        fromServer: !isVisitorUserAgent(request.headers['user-agent'] ?? ''),
      }),
    },
  }
}

const isPresent = (value: Json | undefined): boolean => value !== undefined && value !== null
