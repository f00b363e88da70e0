import type { Envelope, Json } from '#events/event'
import type { ResolvedProject, WireRequest } from '../../dialect'
import { isProperties } from '../../decode-body'
import { isVisitorUserAgent } from '../../internal/read-identity'
import type { CaptureBatch } from './capture-batch'
import { parseTime } from '../time'

/** SDKs that run on servers and send events on behalf of visitors elsewhere. */
const serverLibraries = new Set([
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

/** Describes how the events arrived. */
export function envelopeOf(
  { headers, query, address, receivedAt }: WireRequest,
  { events, sentAt, isHistorical }: CaptureBatch,
  project: ResolvedProject,
): Envelope {
  const userAgent = headers['user-agent'] ?? ''
  return {
    projectId: project.id,
    environment: project.environment,
    dialect: 'posthog',
    receivedAt,
    // old browsers sent their clock in the address, to bypass caches
    sentAt: sentAt ?? parseTime(query.get('_') ?? undefined),
    address,
    userAgent,
    language: headers['accept-language'],
    optedOut: headers['dnt'] === '1' || headers['sec-gpc'] === '1',
    fromServer: isFromServer(events[0], userAgent),
    isHistorical,
  }
}

/**
 * An SDK names itself in `$lib`. For hand-written requests, the user agent shows whether a visitor's browser sent it.
 */
function isFromServer(event: Json | undefined, userAgent: string): boolean {
  const properties = isProperties(event) && isProperties(event['properties']) ? event['properties'] : {}
  if (properties['$is_server'] === true) return true
  const library = properties['$lib']
  return typeof library === 'string' && library !== ''
    ? serverLibraries.has(library)
    : !isVisitorUserAgent(userAgent)
}
