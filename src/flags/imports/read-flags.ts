import { readFlagsmith } from './internal/flagsmith'
import { readGrowthBook } from './internal/growthbook'
import { readLaunchDarkly } from './internal/launchdarkly'
import { type TranslatedFlag, UnreadableFlagsError } from './translation'
import { readUnleash } from './internal/unleash'

const sources = {
  launchdarkly: readLaunchDarkly,
  unleash: readUnleash,
  flagsmith: readFlagsmith,
  growthbook: readGrowthBook,
} satisfies Record<string, (json: unknown, environment: string) => TranslatedFlag[]>
export type FlagSourceName = keyof typeof sources

/** Reads the flags of another product, from the settings of one of its environments. */
export function readFlags(source: FlagSourceName, json: unknown, environment: string): TranslatedFlag[] {
  if (!isShallow(json)) throw new UnreadableFlagsError('The JSON is nested too deeply.')
  return sources[source](json, environment)
}

const deepest = 50

/** Stops at a maximum depth, so that endlessly nested input is not walked to its end. */
function isShallow(json: unknown, depth = 0): boolean {
  if (typeof json !== 'object' || json === null) return true
  return depth < deepest && Object.values(json).every((one) => isShallow(one, depth + 1))
}
