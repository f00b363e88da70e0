import type { Flag, FlagSetting } from './flag'
import type { FlagVersion } from './history'

/** Why code no longer needs a flag, as far as usage shows. */
export type StaleReason =
  | { because: 'never-asked'; since: Date }
  | { because: 'not-asked'; since: Date }
  | { because: 'fully-rolled-out'; since: Date; value: string }
  | { because: 'one-answer'; since: Date; value: string }

/** Requests for a flag and the values it gave. */
export interface FlagUsage {
  firstAsked: Date
  lastAsked: Date
  /** The values returned in the last days. */
  values: readonly string[]
}

export const staleDays = 30

interface StalenessInput {
  flag: Pick<Flag, 'kind' | 'createdAt' | 'archivedAt'>
  heard: FlagUsage | undefined
  settled: SettledValue | undefined
  /** A client that does not report its decisions requested this flag, or all flags, recently. */
  isAskedSilently: boolean
  isOld: (at: Date) => boolean
}

/** The first rule that applies gives the reason. */
const stalenessRules: readonly ((looked: StalenessInput) => StaleReason | undefined)[] = [
  neverAsked,
  notAsked,
  fullyRolledOut,
  oneAnswer,
]

export function staleness(
  flag: StalenessInput['flag'],
  usage: FlagUsage | undefined,
  settled: SettledValue | undefined,
  now: Date,
  { isAskedSilently = false }: { isAskedSilently?: boolean } = {},
): StaleReason | undefined {
  if (!canBeStale(flag, usage, now)) return undefined
  const isOld = (at: Date) => isOldAt(now, at)
  for (const reason of stalenessRules) {
    const stale = reason({ flag, heard: usage, settled, isAskedSilently, isOld })
    if (stale) return stale
  }
  return undefined
}

/** A new flag is not stale, unless code requested its key long before: then it was imported. */
export function canBeStale(flag: StalenessInput['flag'], usage: FlagUsage | undefined, now: Date): boolean {
  const since = usage && usage.firstAsked < flag.createdAt ? usage.firstAsked : flag.createdAt
  return !flag.archivedAt && isOldAt(now, since)
}

const isOldAt = (now: Date, at: Date): boolean => now.getTime() - at.getTime() >= staleDays * 86_400_000

function neverAsked({ flag, heard, isAskedSilently }: StalenessInput): StaleReason | undefined {
  return heard || isAskedSilently ? undefined : { because: 'never-asked', since: flag.createdAt }
}

function notAsked({ heard, isAskedSilently, isOld }: StalenessInput): StaleReason | undefined {
  if (!heard || isAskedSilently || !isOld(heard.lastAsked)) return undefined
  return { because: 'not-asked', since: heard.lastAsked }
}

/** Configurations are excluded: they give all visitors the same value by design. */
function fullyRolledOut({ flag, settled, isOld }: StalenessInput): StaleReason | undefined {
  if (flag.kind === 'config' || !settled || !isOld(settled.since)) return undefined
  return { because: 'fully-rolled-out', ...settled }
}

function oneAnswer({ flag, heard, isAskedSilently, isOld }: StalenessInput): StaleReason | undefined {
  if (flag.kind === 'config' || !heard || isAskedSilently || !isOld(heard.firstAsked)) return undefined
  const [value, ...more] = heard.values
  if (value === undefined || more.length > 0) return undefined
  return { because: 'one-answer', since: heard.firstAsked, value }
}

/** The reason as a sentence, for members who decide whether to delete the flag. */
export const staleWords: Record<StaleReason['because'], string> = {
  'never-asked': 'Not evaluated since it was created.',
  'not-asked': `Not evaluated for ${staleDays} days.`,
  'fully-rolled-out': `Fully rolled out for ${staleDays} days.`,
  'one-answer': `Everyone got the same value for ${staleDays} days.`,
}

export interface SettledValue {
  since: Date
  value: string
}

/**
 * The value that all visitors get in an environment, and since when. `versions` go from the newest back and are read
 * only if the last change is recent.
 */
export function settledValueIn(
  flag: Flag,
  environment: string,
  versions: readonly FlagVersion[] = [],
): SettledValue | undefined {
  const value = valueForAll(flag, environment)
  if (value === undefined) return undefined
  let since = flag.changedAt
  for (const { flag: earlier, at } of versions) {
    if (valueForAll(earlier, environment) !== value) break
    since = at
  }
  return { since, value }
}

/** The single value that the flag can return; undefined if it depends on the visitor. */
export function valueForAll(
  flag: Pick<Flag, 'variants' | 'environments'>,
  environment: string,
): string | undefined {
  const setting = flag.environments[environment]
  if (!setting?.isOn || setting.holdout || setting.layer) return undefined
  const values = reachable(setting).map(({ variant }) => variant ?? onlyVariant(flag))
  const [value] = values
  return values.every((one) => one === value) ? value : undefined
}

/** The sets up to the first one that matches all visitors; later ones are never evaluated. Empty without such a set. */
function reachable({ conditions }: FlagSetting) {
  const last = conditions.findIndex((set) => set.conditions.length === 0 && set.percentage === 100)
  const sets = conditions.slice(0, last + 1)
  // a visitor outside the percentage of a last set gets nothing
  return sets.some(({ isLast, percentage }) => isLast && percentage < 100) ? [] : sets
}

/** The value without an override: "on", or the only variant with a share. */
function onlyVariant({ variants }: Pick<Flag, 'variants'>): string | undefined {
  if (variants.length === 0) return 'true'
  return variants.find(({ percentage }) => percentage === 100)?.key
}
