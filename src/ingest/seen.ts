import type { Engine } from '../engine/engine'
import { dateTime, sql, uint } from '../engine/sql'
import type { PreparedEvent } from '../events/event'
import { type EventKey, keyOf, toleranceMs } from './duplicates'

/**
 * Tells from memory that an event is certainly new. Whether one was stored before is otherwise a question to the engine,
 * which reads a whole day for it; most events are new, and need not be asked about.
 *
 * Everything stored lately is noted in two generations of traces. What is dated late enough and left no trace is new:
 * a double has the date of the first, give or take the tolerance, and of that date nothing is missing here.
 */
export class Seen {
  private current: Traces | undefined
  private previous: Traces | undefined
  /** From this date on nothing is missing. */
  private since = Infinity

  constructor(
    private readonly engine: Pick<Engine, 'query'>,
    /** Per generation. */
    private readonly mostEvents = 2 ** 21,
  ) {}

  isSurelyNew({ at }: PreparedEvent, key: EventKey): boolean {
    if (at.getTime() < this.since) return false
    return !this.current?.has(key) && !this.previous?.has(key)
  }

  note(key: EventKey): void {
    this.current?.leave(key)
  }

  isFull(): boolean {
    return !this.current || this.current.left >= this.mostEvents
  }

  /** A new generation, and the oldest is forgotten. Before the first one nothing is sure. */
  async turn(now: Date): Promise<void> {
    const previous = this.current
    const current = new Traces(now.getTime(), this.mostEvents)
    this.since = await this.fillIn(current, previous?.began ?? current.began)
    this.previous = previous
    this.current = current
  }

  /** Leaves traces of what came before `began` but is dated late enough to matter; answers since when all is known. */
  private async fillIn(traces: Traces, began: number): Promise<number> {
    // where too many came in that time to fetch them all, that time must pass
    for (const span of [toleranceMs, 0]) {
      const keys = await this.datedFrom(began - span, began)
      for (const key of keys) traces.leave(key)
      if (keys.length < mostFetched) return began - span + toleranceMs
    }
    return Number.MAX_SAFE_INTEGER
  }

  private async datedFrom(from: number, receivedBefore: number): Promise<EventKey[]> {
    const rows = await this.engine.query<{ project: number; uuid: string }>(
      sql`
        select project_id as project, uuid
        from events
        where timestamp >= ${dateTime(new Date(from))}
          and received_at <= ${dateTime(new Date(receivedBefore))}
        limit ${uint(mostFetched)}`,
      { lane: 'ingest' },
    )
    return rows.map(({ project, uuid }) => keyOf({ projectId: project, uuid }))
  }
}

const mostFetched = 100_000

/** At 32 bits an event and 8 probes, six new ones in a million look as if seen, and are asked about in vain. */
const bitsPerEvent = 32
const probes = 8

/** A Bloom filter. */
class Traces {
  /** How many were left. */
  left = 0
  private readonly words: Uint32Array
  private readonly mask: number

  constructor(
    readonly began: number,
    mostEvents: number,
  ) {
    this.words = new Uint32Array((2 ** Math.ceil(Math.log2(mostEvents)) * bitsPerEvent) / 32)
    this.mask = this.words.length * 32 - 1
  }

  leave(key: EventKey): void {
    this.left += 1
    const [first, step] = twoHashes(key)
    for (let i = 0; i < probes; i++) {
      const bit = (first + Math.imul(i, step)) & this.mask
      this.words[bit >>> 5] = (this.words[bit >>> 5] ?? 0) | (1 << (bit & 31))
    }
  }

  has(key: EventKey): boolean {
    const [first, step] = twoHashes(key)
    for (let i = 0; i < probes; i++) {
      const bit = (first + Math.imul(i, step)) & this.mask
      if (((this.words[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false
    }
    return true
  }
}

/** FNV-1a with two beginnings, mixed at the end: ids that differ in one letter are far apart. */
function twoHashes(key: EventKey): [number, number] {
  let first = 0x811c9dc5
  let second = 0x01000193
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i)
    first = Math.imul(first ^ code, 0x01000193)
    second = Math.imul(second ^ code, 0x85ebca6b)
  }
  return [mixed(first), mixed(second) | 1]
}

function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b)
  return twice ^ (twice >>> 16)
}
