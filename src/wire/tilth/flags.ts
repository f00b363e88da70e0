import type { Json, Properties } from '../../events/event'
import type { Decisions } from '../../flags/deciding'
import { mainEnvironment } from '../../flags/flag'
import { json, jsonText } from '../answers'
import type { Asking, Desk, NamedProject, WireAnswer, WireRequest } from '../dialect'
import { saidOnce } from '../said-once'
import { envelopeOf } from '../trackers/arrivals'
import { tryingOut } from '../trying-out'
import { isProperties, parsed, unpacked, type Unpacked } from '../unpack'
import {
  groupPropertiesOf,
  groupsOf,
  hostOfPage,
  idOf,
  isVisitorsAgent,
  propertiesOf,
  textsOf,
} from '../whom'
import { refuseUnknown } from './refusals'

/**
 * Flags for a script of a few lines: their values, what comes along with them, and which of them nobody could decide.
 * Everything may be left out: then the page's host says which project it is, and the visitor is one without an id.
 */
export function answerFlags(request: WireRequest, desk: Desk): WireAnswer | Promise<WireAnswer> {
  const body = saidIn(request)
  if (!body.read || !isProperties(body.what)) return unreadable(body)
  const said = body.what
  const key = idOf(said['key']) || undefined
  const host = hostOfPage(request)
  const project = key === undefined ? desk.projectAt(host) : desk.projectNamed(key)
  if (!project) return refuseUnknown(desk, key, host || undefined)
  const decided = tryingOut(askingOf(said, request, project), request, desk)
  return decided instanceof Promise ? decided.then((late) => tell(late, project)) : tell(decided, project)
}

/** By GET in the address, by POST in the body. */
function saidIn(request: WireRequest): Unpacked<Json> {
  if (request.method === 'POST') return unpacked(request)
  const { query } = request
  const properties = parsed(query.get('properties') ?? '{}')
  if (!properties.read) return properties
  const flags = query.get('flags')?.split(',') ?? null
  const named = (name: string): string | null => query.get(name)
  return {
    read: true,
    what: {
      key: named('key'),
      distinctId: named('distinct_id'),
      deviceId: named('device_id'),
      anonymousId: named('anonymous_id'),
      properties: properties.what,
      flags,
    },
  }
}

const unreadable = (body: Unpacked<Json>): WireAnswer =>
  json(400, { error: body.read ? 'Send an object with "key" and "distinctId".' : body.detail })

function askingOf(said: Properties, request: WireRequest, project: NamedProject): Asking {
  return {
    environment: project.environment ?? mainEnvironment,
    distinctId: idOf(said['distinctId']) || idOf(said['distinct_id']) || undefined,
    deviceId: idOf(said['deviceId']) || undefined,
    anonymousId: idOf(said['anonymousId']) || undefined,
    groups: groupsOf(said['groups']),
    person: propertiesOf(said['properties']),
    groupProperties: groupPropertiesOf(said['groupProperties']),
    keys: textsOf(said['flags']),
    contexts: textsOf(said['contexts']),
    host: hostOfPage(request),
    isToBePlaced: true,
    envelope: envelopeOf(request, project, {
      dialect: 'tilth',
      fromServer: !isVisitorsAgent(request.headers['user-agent'] ?? ''),
    }),
  }
}

const toldOf = saidOnce(({ flag, value, payload, reason }) => {
  const name = JSON.stringify(flag.key)
  return {
    name,
    value: reason.code === 'undecided' ? undefined : `${name}:${JSON.stringify(value)}`,
    // it is JSON already
    payload: value === false || payload === undefined ? undefined : `${name}:${payload}`,
  }
})

/** Secret ones are for servers with a secret key, which ask elsewhere. */
function tell({ decisions }: Decisions, { environment = mainEnvironment }: NamedProject): WireAnswer {
  const told = decisions.filter(({ flag }) => !flag.isSecret).map((decision) => toldOf(decision, environment))
  const values = told.flatMap(({ value }) => value ?? [])
  const payloads = told.flatMap(({ payload }) => payload ?? [])
  const undecided = told.flatMap(({ name, value }) => (value === undefined ? [name] : []))
  return jsonText(
    200,
    `{"flags":{${values.join()}},"payloads":{${payloads.join()}},"undecided":[${undecided.join()}]}`,
  )
}
