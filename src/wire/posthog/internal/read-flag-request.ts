import type { Json, Properties } from '#events/event'
import { mainEnvironment } from '#flags/flag'
import type { FlagRequest, ResolvedProject, WireRequest } from '../../dialect'
import {
  groupPropertiesOf,
  groupsOf,
  requestingHost,
  idOf,
  isVisitorUserAgent,
  propertiesOf,
  textsOf,
} from '../../internal/read-identity'
import { cookieless } from '../events'
import { envelopeOf } from './envelope'

/** Reads the visitor that a request describes. Returns undefined without a distinct id. */
export function readFlagRequest(
  fields: Properties,
  request: WireRequest,
  project: ResolvedProject,
): FlagRequest | undefined {
  const distinctId = idOf(fields['distinct_id']) || idOf(fields['$distinct_id'])
  if (distinctId === '') return undefined
  const person = propertiesOf(fields['person_properties'])
  return {
    environment: project.environment ?? mainEnvironment,
    distinctId: distinctId === cookieless ? undefined : distinctId,
    deviceId: idOf(fields['$device_id']) || idOf(person['$device_id']) || undefined,
    anonymousId: idOf(fields['$anon_distinct_id']) || undefined,
    groups: groupsOf(fields['groups']),
    person,
    groupProperties: groupPropertiesOf(fields['group_properties']),
    keys: textsOf(fields['flag_keys']) ?? textsOf(fields['flag_keys_to_evaluate']),
    contexts: textsOf(fields['evaluation_contexts']) ?? textsOf(fields['evaluation_environments']),
    host: requestingHost(request),
    mayLocate: fields['geoip_disable'] !== true,
    envelope: {
      ...envelopeOf(request, { sentAt: undefined, isHistorical: false }, project),
      fromServer: isFromServer(fields['evaluation_runtime'], request),
    },
  }
}

/** SDKs on servers send a runtime since 2025; older ones are recognised by their user agent. */
function isFromServer(runtime: Json | undefined, { headers }: WireRequest): boolean {
  if (runtime === 'server') return true
  return runtime !== 'client' && !isVisitorUserAgent(headers['user-agent'] ?? '')
}
