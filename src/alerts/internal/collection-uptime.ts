import type { Period } from '#insights/calendar/period'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import {
  type Heartbeat,
  readHeartbeat,
  forgetCollectionGapsBefore,
  collectionGapsIn,
  saveHeartbeat,
  saveCollectionGap,
} from './stored-uptime'
import { type AlertCondition, isAboutTooLittle } from '../condition'

/** Heartbeats come every minute; after this long without one, events may have been refused. */
const gapAfterMs = 3 * 60_000
/** The share of an interval that may be missing before its numbers are unreliable. */
const tolerableShare = 0.05
const keptMs = 70 * 24 * 60 * 60_000

/**
 * Records when events were collected, so that alerts can distinguish no traffic from a collection outage: a low number
 * during an outage sends no notification.
 */
export class CollectionUptime {
  constructor(
    private readonly dependencies: {
      store: Store
      world: World
      /** Returns why events are refused or do not reach the engine; undefined if collection works. */
      trouble: () => string | undefined
    },
  ) {}

  /** Called by each front that collects and stores events. */
  async recordHeartbeat(): Promise<void> {
    if (this.dependencies.trouble() !== undefined) return
    const now = this.dependencies.world.now()
    await this.dependencies.store.transaction(async (transaction) => {
      const last = await readHeartbeat(transaction)
      if (last && isOverdue(last, now))
        await saveCollectionGap(transaction, { from: last.lastAt, until: now })
      await saveHeartbeat(transaction, { firstAt: last?.firstAt ?? now, lastAt: now })
      await forgetCollectionGapsBefore(transaction, new Date(now.getTime() - keptMs))
    })
  }

  /** Returns why low numbers of a period are unreliable; undefined if they are reliable. */
  async doubtAbout(condition: AlertCondition, period: Period): Promise<string | undefined> {
    if (!isAboutTooLittle(condition)) return undefined
    const trouble = this.dependencies.trouble()
    if (trouble !== undefined) return `Event collection is impaired: ${trouble}`
    const { store, world } = this.dependencies
    const beat = await readHeartbeat(store)
    const gaps = [...(await collectionGapsIn(store, period)), ...openGap(beat, world.now())]
    if (condition.type !== 'absence') return gapReason(gaps, period)
    if (!beat || beat.firstAt > period.from) return 'Events have not been collected for this long yet.'
    return gaps.length > 0 ? 'Event collection was interrupted in this time.' : undefined
  }
}

const isOverdue = ({ lastAt }: Heartbeat, now: Date): boolean => now.getTime() - lastAt.getTime() > gapAfterMs

const openGap = (beat: Heartbeat | undefined, now: Date): Period[] =>
  beat && isOverdue(beat, now) ? [{ from: beat.lastAt, until: now }] : []

function gapReason(gaps: readonly Period[], period: Period): string | undefined {
  const missing = gaps.reduce((sum, gap) => sum + overlapMs(gap, period), 0)
  if (missing <= tolerableShare * (period.until.getTime() - period.from.getTime())) return undefined
  return `Events were not collected for ${Math.round(missing / 60_000)} minutes of this time.`
}

const overlapMs = (one: Period, other: Period): number =>
  Math.max(
    0,
    Math.min(one.until.getTime(), other.until.getTime()) - Math.max(one.from.getTime(), other.from.getTime()),
  )
