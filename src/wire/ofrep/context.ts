import type { Json, Properties } from '../../events/event'
import type { Asking, WireRequest } from '../dialect'
import { envelopeOf } from '../trackers/arrivals'
import { isProperties, unpacked } from '../unpack'
import { groupPropertiesOf, groupsOf, hostOfPage, idOf, isVisitorsAgent } from '../whom'
import type { Entry } from './entry'
import type { Failure } from './failures'

export type Read = { read: true; asking: Asking } | { read: false; failure: Failure }

/** Whom an evaluation is about. What is in the context beside the few names below is what is known of the person. */
export function readContext(request: WireRequest, entry: Entry, keys?: readonly string[]): Read {
  const body = unpacked(request)
  if (!body.read) return wrong('PARSE_ERROR', body.detail)
  if (!isProperties(body.what))
    return wrong('PARSE_ERROR', 'Send an object: {"context": {"targetingKey": "…"}}.')
  const context = body.what['context'] ?? {}
  if (!isProperties(context))
    return wrong('INVALID_CONTEXT', 'The context is an object: {"targetingKey": "…"}.')
  return ofContext(context, request, entry, keys)
}

const wrong = (errorCode: Failure['errorCode'], errorDetails: string): Read => ({
  read: false,
  failure: { errorCode, errorDetails },
})

function ofContext(
  { targetingKey, groups, groupProperties, deviceId, ...person }: Properties,
  request: WireRequest,
  { project, environment }: Entry,
  keys: readonly string[] | undefined,
): Read {
  const distinctId = idOf(targetingKey)
  if (isGiven(targetingKey) && distinctId === '')
    return wrong('INVALID_CONTEXT', 'The targeting key is the visitor’s id, as a text that is not empty.')
  if (distinctId === '')
    return wrong(
      'TARGETING_KEY_MISSING',
      'Say in the context for whom to decide: {"targetingKey": "user-1"}.',
    )
  if (isGiven(groups) && !isProperties(groups))
    return wrong('INVALID_CONTEXT', 'Groups are named by their type: {"groups": {"company": "acme"}}.')
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
      host: hostOfPage(request),
      isToBePlaced: true,
      envelope: envelopeOf(request, project, {
        dialect: 'ofrep',
        fromServer: !isVisitorsAgent(request.headers['user-agent'] ?? ''),
      }),
    },
  }
}

const isGiven = (value: Json | undefined): boolean => value !== undefined && value !== null
