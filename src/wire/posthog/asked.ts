import type { Json, Properties } from '../../events/event'
import { mainEnvironment } from '../../flags/flag'
import type { Asking, NamedProject, WireRequest } from '../dialect'
import {
  groupPropertiesOf,
  groupsOf,
  hostOfPage,
  idOf,
  isVisitorsAgent,
  propertiesOf,
  textsOf,
} from '../whom'
import { cookieless } from './events'
import { envelopeOf } from './sender'

/** What a request says of whom it asks about. Undefined where it names nobody. */
export function askingOf(said: Properties, request: WireRequest, project: NamedProject): Asking | undefined {
  const distinctId = idOf(said['distinct_id']) || idOf(said['$distinct_id'])
  if (distinctId === '') return undefined
  const person = propertiesOf(said['person_properties'])
  return {
    environment: project.environment ?? mainEnvironment,
    distinctId: distinctId === cookieless ? undefined : distinctId,
    deviceId: idOf(said['$device_id']) || idOf(person['$device_id']) || undefined,
    anonymousId: idOf(said['$anon_distinct_id']) || undefined,
    groups: groupsOf(said['groups']),
    person,
    groupProperties: groupPropertiesOf(said['group_properties']),
    keys: textsOf(said['flag_keys']) ?? textsOf(said['flag_keys_to_evaluate']),
    contexts: textsOf(said['evaluation_contexts']) ?? textsOf(said['evaluation_environments']),
    host: hostOfPage(request),
    isToBePlaced: said['geoip_disable'] !== true,
    envelope: {
      ...envelopeOf(request, { events: [], key: undefined, sentAt: undefined, isHistorical: false }, project),
      fromServer: isAskedByServer(said['evaluation_runtime'], request),
    },
  }
}

/** SDKs on servers say so since 2025; those before are told by what they call themselves. */
function isAskedByServer(runtime: Json | undefined, { headers }: WireRequest): boolean {
  if (runtime === 'server') return true
  return runtime !== 'client' && !isVisitorsAgent(headers['user-agent'] ?? '')
}
