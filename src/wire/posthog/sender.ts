import type { Envelope, Json } from '../../events/event'
import type { NamedProject, WireRequest } from '../dialect'
import { isProperties } from '../unpack'
import { isVisitorsAgent } from '../whom'
import type { Delivery } from './delivery'
import { timeOf } from './time'

/** SDKs that run on servers and speak for visitors who are elsewhere. */
const onServers = new Set([
  'posthog-node',
  'posthog-edge',
  'posthog-python',
  'posthog-ruby',
  'posthog-php',
  'posthog-go',
  'posthog-java',
  'posthog-server',
  'posthog-dotnet',
  'posthog-elixir',
  'posthog-rs',
])

/** How the events came. */
export function envelopeOf(
  { headers, query, address, receivedAt }: WireRequest,
  { events, sentAt, isHistorical }: Delivery,
  project: NamedProject,
): Envelope {
  const userAgent = headers['user-agent'] ?? ''
  return {
    projectId: project.id,
    environment: project.environment,
    dialect: 'posthog',
    receivedAt,
    // browsers of old wrote their clock into the address, to get past caches
    sentAt: sentAt ?? timeOf(query.get('_') ?? undefined),
    address,
    userAgent,
    language: headers['accept-language'],
    optedOut: headers['dnt'] === '1' || headers['sec-gpc'] === '1',
    fromServer: isFromServer(events[0], userAgent),
    isHistorical,
  }
}

/** An SDK says what it is; for whoever writes requests by hand, the user agent says whether it is a visitor's. */
function isFromServer(event: Json | undefined, userAgent: string): boolean {
  const said = isProperties(event) && isProperties(event['properties']) ? event['properties'] : {}
  if (said['$is_server'] === true) return true
  const library = said['$lib']
  return typeof library === 'string' && library !== '' ? onServers.has(library) : !isVisitorsAgent(userAgent)
}
