import { parseUserAgent } from './user-agent'
import { firstTextOf, textOf, type IngestStep } from './step'

const userAgentProperties = ['$raw_user_agent', '$user_agent', '$useragent', '$initial_raw_user_agent']
/** Those of apps, which name the whole telephone, stay below it. */
const longestAgent = 512

/**
 * Finds the visitor's address and user agent. A server's own say nothing about the visitor it sends for. A browser may
 * not name another address than its own.
 */
export const findSender: IngestStep = (draft, { envelope }) => {
  const { properties } = draft.event
  const claimedUserAgent = firstTextOf(properties, userAgentProperties)
  const userAgent = envelope.fromServer ? claimedUserAgent : envelope.userAgent.trim() || claimedUserAgent
  draft.userAgent = userAgent.slice(0, longestAgent)
  draft.address = plainAddress(envelope.fromServer ? textOf(properties, '$ip') : envelope.address)
}

/** `::ffff:203.0.113.7` is the IPv4 address it ends with. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.)/i, '')

/**
 * Classifies an event as from a person, a robot, an AI or a feed reader. Only projects that ask for it drop the others:
 * owners can see all traffic, and numbers about people count people alone.
 */
export const tellTraffic: IngestStep = (draft, { envelope, rules }) => {
  const { traffic, isProgram } = parseUserAgent(draft.userAgent)
  // a program that names a visitor sends for that visitor; one that names none is itself the visitor
  const speaksForVisitor = isProgram && (envelope.fromServer || !draft.isCookieless)
  draft.columns.traffic = speaksForVisitor ? 'human' : traffic
  return rules.drops(draft.columns.traffic) ? 'bot' : undefined
}
