import { reading } from './user-agent'
import { firstTextOf, textOf, type Step } from './step'

const agents = ['$raw_user_agent', '$user_agent', '$useragent', '$initial_raw_user_agent']
/** Those of apps, which name the whole telephone, stay below it. */
const longestAgent = 512

/**
 * Whose address and user agent it was. A server's own say nothing about the visitor it speaks for; a browser cannot
 * speak for another address than the one it came from.
 */
export const findSender: Step = (draft, { envelope }) => {
  const { properties } = draft.event
  const told = firstTextOf(properties, agents)
  const agent = envelope.fromServer ? told : envelope.userAgent.trim() || told
  draft.userAgent = agent.slice(0, longestAgent)
  draft.address = plainAddress(envelope.fromServer ? textOf(properties, '$ip') : envelope.address)
}

/** `::ffff:203.0.113.7` is the IPv4 address it ends with. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.)/i, '')

/**
 * People, robots, AI and feed readers are told apart, not thrown away, unless the project wants that: whoever owns the
 * site can see all of them, and every number about people counts people.
 */
export const tellTraffic: Step = (draft, { envelope, rules }) => {
  const { traffic, isProgram } = reading(draft.userAgent)
  // a program that names a visitor speaks for one; a program that names nobody is the visitor
  const speaksForSomebody = isProgram && (envelope.fromServer || !draft.isCookieless)
  draft.columns.traffic = speaksForSomebody ? 'human' : traffic
  return rules.drops(draft.columns.traffic) ? 'bot' : undefined
}
