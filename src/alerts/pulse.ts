import type { Period } from '../insights/period'
import type { Store } from '../store/store'
import type { World } from '../world/world'
import { type Beat, beatOf, forgetGapsBefore, gapsIn, saveBeat, saveGap } from './pulse/store'
import { type Condition, isAboutTooLittle } from './condition'

/** Beats come every minute; so long without one, and events may have been turned away. */
const missedMs = 3 * 60_000
/** How much of an interval may be missing before its numbers say too little. */
const tolerable = 0.05
const keptMs = 70 * 24 * 60 * 60_000

/**
 * When events were taken in, and when not. Silence is told from deafness by it: that nobody came while Tilth was down
 * or could not write is nothing anybody has to hear of.
 */
export class CollectionPulse {
  constructor(
    private readonly ground: {
      store: Store
      world: World
      /** Why events are refused or do not reach the engine; undefined while all is well. */
      trouble: () => string | undefined
    },
  ) {}

  /** Noted by any front that takes events in and stores them. */
  async beat(): Promise<void> {
    if (this.ground.trouble() !== undefined) return
    const now = this.ground.world.now()
    await this.ground.store.transaction(async (transaction) => {
      const last = await beatOf(transaction)
      if (last && isMissed(last, now)) await saveGap(transaction, { from: last.lastAt, until: now })
      await saveBeat(transaction, { firstAt: last?.firstAt ?? now, lastAt: now })
      await forgetGapsBefore(transaction, new Date(now.getTime() - keptMs))
    })
  }

  /** Why nothing can be said about too little of something in a period; undefined where it can. */
  async doubtAbout(condition: Condition, period: Period): Promise<string | undefined> {
    if (!isAboutTooLittle(condition)) return undefined
    const trouble = this.ground.trouble()
    if (trouble !== undefined) return `Events are not collected as they should be: ${trouble}`
    const { store, world } = this.ground
    const beat = await beatOf(store)
    const gaps = [...(await gapsIn(store, period)), ...openGap(beat, world.now())]
    if (condition.type !== 'absence') return doubtAboutPart(gaps, period)
    if (!beat || beat.firstAt > period.from) return 'Events have not been collected for that long yet.'
    return gaps.length > 0 ? 'Events were not collected all of that time.' : undefined
  }
}

const isMissed = ({ lastAt }: Beat, now: Date): boolean => now.getTime() - lastAt.getTime() > missedMs

const openGap = (beat: Beat | undefined, now: Date): Period[] =>
  beat && isMissed(beat, now) ? [{ from: beat.lastAt, until: now }] : []

function doubtAboutPart(gaps: readonly Period[], period: Period): string | undefined {
  const missing = gaps.reduce((sum, gap) => sum + shared(gap, period), 0)
  if (missing <= tolerable * (period.until.getTime() - period.from.getTime())) return undefined
  return `Events were not collected for ${Math.round(missing / 60_000)} minutes of that time.`
}

const shared = (one: Period, other: Period): number =>
  Math.max(
    0,
    Math.min(one.until.getTime(), other.until.getTime()) - Math.max(one.from.getTime(), other.from.getTime()),
  )
