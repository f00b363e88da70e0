import { cookieValue } from '#ingest/cookies'
import type { Decision } from '#flags/decision'
import type { Decisions } from '#flags/flag-decider'
import type { Flag } from '#flags/flag'
import { flagPayload } from './internal/flag-payload'
import type { FlagRequest, WireServices, ForcedFlags, WireRequest } from './dialect'

/** The cookie in which browsers keep the link that they followed, for as long as it lasts. */
export const forcedFlagsCookie = 'tilth_trying'

/**
 * Decides flags and applies the values that a preview link forces in this browser. Browsers send the cookie only to
 * their own site, so this works where Tilth is reached through the site.
 */
export function decideWithForcedFlags(
  flagRequest: FlagRequest,
  request: WireRequest,
  services: WireServices,
): Decisions | Promise<Decisions> {
  const decisions = services.decide(withoutArchived(flagRequest, services))
  const token = forcedFlagsToken(request)
  const forcedFlags = token === undefined ? undefined : services.findForcedFlags(token)
  if (forcedFlags?.projectId !== flagRequest.envelope.projectId) return decisions
  const applyTo = (before: Decisions): Decisions =>
    applyForcedFlags(before, forcedFlags, flagRequest.environment)
  return decisions instanceof Promise ? decisions.then(applyTo) : applyTo(decisions)
}

/** Leaves archived flags out of requests by key: clients get the same response as for an unknown flag. */
function withoutArchived(flagRequest: FlagRequest, services: WireServices): FlagRequest {
  const { keys, envelope } = flagRequest
  if (!keys) return flagRequest
  const live = keysOf(services.flagsOf(envelope.projectId))
  return { ...flagRequest, keys: keys.filter((key) => live.has(key)) }
}

const flagKeysCache = new WeakMap<readonly Flag[], ReadonlySet<string>>()

/** Servers ask for one flag after the other, and there may be ten thousand. */
function keysOf(flags: readonly Flag[]): ReadonlySet<string> {
  const keys = flagKeysCache.get(flags) ?? new Set(flags.map(({ key }) => key))
  flagKeysCache.set(flags, keys)
  return keys
}

export const forcedFlagsToken = ({ headers: { cookie } }: Pick<WireRequest, 'headers'>): string | undefined =>
  cookieValue(cookie, forcedFlagsCookie)

function applyForcedFlags(before: Decisions, forcedFlags: ForcedFlags, environment: string): Decisions {
  const decisions = before.decisions.map((decision) => applyForcedFlag(decision, forcedFlags, environment))
  return { decisions, isComplete: decisions.every(({ reason }) => reason.code !== 'undecided') }
}

/** Ignores a forced variant that the flag no longer has. */
export function applyForcedFlag(decision: Decision, { values }: ForcedFlags, environment: string): Decision {
  const { flag } = decision
  const value = Object.hasOwn(values, flag.key) ? values[flag.key] : undefined
  const isThere = typeof value === 'boolean' || flag.variants.some(({ key }) => key === value)
  if (value === undefined || !isThere) return decision
  return {
    flag,
    value,
    payload: flagPayload(flag, environment, value),
    reason: { code: 'forced', condition: undefined },
  }
}
