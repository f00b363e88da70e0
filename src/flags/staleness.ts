import type { Flag, Setting } from './flag'
import type { FlagVersion } from './history'

/** Why nobody needs a flag any more, as far as can be told. */
export type Stale =
  | { because: 'never-asked'; since: Date }
  | { because: 'not-asked'; since: Date }
  | { because: 'fully-rolled-out'; since: Date; value: string }
  | { because: 'one-answer'; since: Date; value: string }

/** What code asked for and got. */
export interface Heard {
  firstAsked: Date
  lastAsked: Date
  /** What was got in the last days. */
  values: readonly string[]
}

export const staleDays = 30

interface Looked {
  flag: Pick<Flag, 'kind' | 'createdAt' | 'archivedAt'>
  heard: Heard | undefined
  settled: Settled | undefined
  /** Somebody asked of late, for this one or for all at once, and does not tell what came of it. */
  isAskedSilently: boolean
  isOld: (at: Date) => boolean
}

/** The first that holds is told. */
const reasons: readonly ((looked: Looked) => Stale | undefined)[] = [
  neverAsked,
  notAsked,
  fullyRolledOut,
  oneAnswer,
]

export function staleness(
  flag: Looked['flag'],
  heard: Heard | undefined,
  settled: Settled | undefined,
  now: Date,
  { isAskedSilently = false }: { isAskedSilently?: boolean } = {},
): Stale | undefined {
  if (!canBeStale(flag, heard, now)) return undefined
  const isOld = (at: Date) => isOldAt(now, at)
  for (const reason of reasons) {
    const stale = reason({ flag, heard, settled, isAskedSilently, isOld })
    if (stale) return stale
  }
  return undefined
}

/** Not what was just made, unless it was asked for long before: then it came from elsewhere. */
export function canBeStale(flag: Looked['flag'], heard: Heard | undefined, now: Date): boolean {
  const since = heard && heard.firstAsked < flag.createdAt ? heard.firstAsked : flag.createdAt
  return !flag.archivedAt && isOldAt(now, since)
}

const isOldAt = (now: Date, at: Date): boolean => now.getTime() - at.getTime() >= staleDays * 86_400_000

function neverAsked({ flag, heard, isAskedSilently }: Looked): Stale | undefined {
  return heard || isAskedSilently ? undefined : { because: 'never-asked', since: flag.createdAt }
}

function notAsked({ heard, isAskedSilently, isOld }: Looked): Stale | undefined {
  if (!heard || isAskedSilently || !isOld(heard.lastAsked)) return undefined
  return { because: 'not-asked', since: heard.lastAsked }
}

/** A configuration says the same to everybody: that is what it is for. */
function fullyRolledOut({ flag, settled, isOld }: Looked): Stale | undefined {
  if (flag.kind === 'config' || !settled || !isOld(settled.since)) return undefined
  return { because: 'fully-rolled-out', ...settled }
}

function oneAnswer({ flag, heard, isAskedSilently, isOld }: Looked): Stale | undefined {
  if (flag.kind === 'config' || !heard || isAskedSilently || !isOld(heard.firstAsked)) return undefined
  const [value, ...more] = heard.values
  if (value === undefined || more.length > 0) return undefined
  return { because: 'one-answer', since: heard.firstAsked, value }
}

/** As a sentence, for those who wonder whether the flag can go. */
export const staleWords: Record<Stale['because'], string> = {
  'never-asked': 'No code has asked for it since it was made.',
  'not-asked': `No code has asked for it for ${staleDays} days.`,
  'fully-rolled-out': `It has been fully rolled out for ${staleDays} days.`,
  'one-answer': `Everybody got the same answer for ${staleDays} days.`,
}

export interface Settled {
  since: Date
  value: string
}

/**
 * What everybody gets by the conditions of an environment, and since when. `versions` go from the newest back; as long
 * as the last change was long ago, nobody has to read them.
 */
export function settledIn(
  flag: Flag,
  environment: string,
  versions: readonly FlagVersion[] = [],
): Settled | undefined {
  const value = valueForAll(flag, environment)
  if (value === undefined) return undefined
  let since = flag.changedAt
  for (const { flag: earlier, at } of versions) {
    if (valueForAll(earlier, environment) !== value) break
    since = at
  }
  return { since, value }
}

/** What nobody gets anything else than; undefined where it depends on who asks. */
export function valueForAll(
  flag: Pick<Flag, 'variants' | 'environments'>,
  environment: string,
): string | undefined {
  const setting = flag.environments[environment]
  if (!setting?.isOn || setting.holdout) return undefined
  const values = reachable(setting).map(({ variant }) => variant ?? onlyVariant(flag))
  const [value] = values
  return values.every((one) => one === value) ? value : undefined
}

/** Up to the first set that lets everybody in: what comes after it is never looked at. Nothing where there is none. */
function reachable({ conditions }: Setting) {
  const last = conditions.findIndex((set) => set.conditions.length === 0 && set.percentage === 100)
  const sets = conditions.slice(0, last + 1)
  // whoever a set turns away for good gets nothing
  return sets.some(({ isLast, percentage }) => isLast && percentage < 100) ? [] : sets
}

/** What is got without an override: "on", or the one variant that has all. */
function onlyVariant({ variants }: Pick<Flag, 'variants'>): string | undefined {
  if (variants.length === 0) return 'true'
  return variants.find(({ percentage }) => percentage === 100)?.key
}
