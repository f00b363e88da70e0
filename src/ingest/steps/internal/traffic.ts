import { parseUserAgent } from './user-agent'
import { firstTextOf, textOf, type IngestStep } from './step'

const userAgentProperties = ['$raw_user_agent', '$user_agent', '$useragent']
/** The user agent of the visitor's first visit, which counts where no other is known. */
const firstUserAgent = '$initial_raw_user_agent'
/** The limit of a user agent. Those of apps, which include the telephone model, are shorter. */
const longestAgent = 512

/**
 * Finds the visitor's address and user agent. The event's own user agent comes first: a server that relays events of
 * browsers has one of its own. If a server sends the event for a visitor, its own do not describe the visitor. A browser
 * cannot name another address than its own.
 */
export const findSender: IngestStep = (draft, { envelope }) => {
  const { properties } = draft.event
  const sender = draft.fromServer ? '' : envelope.userAgent.trim()
  const userAgent =
    firstTextOf(properties, userAgentProperties) || sender || textOf(properties, firstUserAgent)
  draft.userAgent = userAgent.slice(0, longestAgent)
  draft.address = plainAddress(draft.fromServer ? textOf(properties, '$ip') : envelope.address)
}

/** Returns the IPv4 address of `::ffff:203.0.113.7`. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.)/i, '')

/**
 * Classifies an event as from a person, a robot, an AI or a feed reader. They are dropped only if the project asks for
 * it. Otherwise owners can see all traffic, and numbers about people include only people.
 */
export const tellTraffic: IngestStep = (draft, { rules }) => {
  const { traffic, isProgram } = parseUserAgent(draft.userAgent)
  // a program that names a visitor sends for that visitor; otherwise the program itself is the visitor
  const speaksForVisitor = isProgram && (draft.fromServer || !draft.isCookieless)
  draft.columns.traffic = speaksForVisitor ? 'human' : traffic
  return rules.drops(draft.columns.traffic) ? 'bot' : undefined
}
