import type { Envelope } from '#events/event'
import type { ResolvedProject, WireRequest } from '../../dialect'
import { isVisitorUserAgent } from '../../internal/read-identity'
import type { CaptureBatch } from './capture-batch'
import { parseTime } from '../time'

/** Describes how the events arrived. */
export function envelopeOf(
  { headers, query, address, receivedAt }: WireRequest,
  { sentAt, isHistorical }: Pick<CaptureBatch, 'sentAt' | 'isHistorical'>,
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
    fromServer: !isVisitorUserAgent(userAgent),
    isHistorical,
  }
}
