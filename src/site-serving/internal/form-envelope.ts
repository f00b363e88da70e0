import type { Envelope } from '#events/event'
import type { Exchange } from '#http/trusted-request'

/** The envelope of events that a form on a page of ours makes. */
export const formEnvelope = (
  { request: { headers }, trustedRequest: { client } }: Exchange,
  projectId: number,
  receivedAt: Date,
): Envelope => ({
  projectId,
  dialect: 'site',
  receivedAt,
  sentAt: undefined,
  address: client,
  userAgent: headers['user-agent'] ?? '',
  language: headers['accept-language'],
  optedOut: headers['dnt'] === '1' || headers['sec-gpc'] === '1',
  fromServer: false,
  isHistorical: false,
})
