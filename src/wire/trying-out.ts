import type { Decision } from '../flags/decision'
import type { Decisions } from '../flags/deciding'
import type { Flag } from '../flags/flag'
import { payloadOf } from './payloads'
import type { Asking, Desk, Forced, WireRequest } from './dialect'

/** In which browsers keep the link that they followed, for as long as it lasts. */
export const tryingCookie = 'tilth_trying'

/**
 * What is decided, but for what a link for trying flags out says in this browser. Browsers send the cookie to their own
 * site's addresses alone, and so this works where Tilth is reached through the site.
 */
export function tryingOut(asking: Asking, request: WireRequest, desk: Desk): Decisions | Promise<Decisions> {
  const decided = desk.decide(withoutArchived(asking, desk))
  const token = tokenOf(request)
  const link = token === undefined ? undefined : desk.forcedBy(token)
  if (link?.projectId !== asking.envelope.projectId) return decided
  const forced = (before: Decisions): Decisions => withForced(before, link, asking.environment)
  return decided instanceof Promise ? decided.then(forced) : forced(decided)
}

/** Code that asks for an archived flag by its name is told what it would be of one that never was. */
function withoutArchived(asking: Asking, desk: Desk): Asking {
  const { keys, envelope } = asking
  if (!keys) return asking
  const live = keysOf(desk.flagsOf(envelope.projectId))
  return { ...asking, keys: keys.filter((key) => live.has(key)) }
}

const known = new WeakMap<readonly Flag[], ReadonlySet<string>>()

/** Servers ask for one flag after the other, and there may be ten thousand. */
function keysOf(flags: readonly Flag[]): ReadonlySet<string> {
  const keys = known.get(flags) ?? new Set(flags.map(({ key }) => key))
  known.set(flags, keys)
  return keys
}

export function tokenOf({ headers: { cookie = '' } }: Pick<WireRequest, 'headers'>): string | undefined {
  if (!cookie.includes(tryingCookie)) return undefined
  const pairs = cookie.split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${tryingCookie}=`))?.slice(tryingCookie.length + 1)
}

function withForced(before: Decisions, link: Forced, environment: string): Decisions {
  const decisions = before.decisions.map((decision) => forcedOr(decision, link, environment))
  return { decisions, isComplete: decisions.every(({ reason }) => reason.code !== 'undecided') }
}

/** A variant that the flag no longer has is nobody's any more. */
export function forcedOr(decision: Decision, { values }: Forced, environment: string): Decision {
  const { flag } = decision
  const value = Object.hasOwn(values, flag.key) ? values[flag.key] : undefined
  const isThere = typeof value === 'boolean' || flag.variants.some(({ key }) => key === value)
  if (value === undefined || !isThere) return decision
  return {
    flag,
    value,
    payload: payloadOf(flag, environment, value),
    reason: { code: 'forced', condition: undefined },
  }
}
