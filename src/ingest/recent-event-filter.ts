import type { Engine } from '#engine/engine'
import { dateTime, sql } from '#engine/sql'
import type { PreparedEvent } from '#events/event'
import { skippingDamagedParts } from './internal/duplicates'
import { timeOfUuid } from './uuid'

const dayMs = 86_400_000

/** A duplicate is recognised by its uuid within this time after the first arrival. */
export const recognisedForMs = 30 * dayMs

/**
 * An event is dated at most 23 hours after its arrival (`steps/time.ts`). A clock that makes version 7 uuids is assumed
 * to be at most a day fast.
 */
const aheadMs = dayMs

export interface RecentEventFilterSettings {
  /** The memory limit of all generations. */
  mostBytes?: number | undefined
  /** The number of events in one generation. */
  generationEvents?: number
  /** The time that one call reads the history. */
  readingMs?: number
}

/**
 * A Bloom filter over the uuids of everything received in the last 30 days, in generations by time. An event whose uuid
 * is not in the filter was not received before; one whose uuid is in it is looked up in the engine.
 *
 * The filter is kept in memory alone. After a start it is read from the engine, newest events first, a little before each
 * batch; until that is done, and where 30 days of events need more memory than allowed, `coveredFrom` tells from when on
 * it is complete.
 */
export class RecentEventFilter {
  private readonly mostGenerations: number
  private readonly generationEvents: number
  private readonly readingMs: number
  private generations: BloomFilter[] = []
  /** The generation for events that are being stored. */
  private newest: BloomFilter | undefined
  /** The generation for events stored before this start. */
  private history: BloomFilter | undefined
  /** The time spans not read from the engine yet, the latest first; undefined until they are known. */
  private unread: TimeSpan[] | undefined
  private coveredSinceMs = Infinity
  private resets = 0

  constructor(
    private readonly engine: Pick<Engine, 'query'>,
    {
      mostBytes = 48 * 1024 ** 2,
      generationEvents = 2 ** 20,
      readingMs = 200,
    }: RecentEventFilterSettings = {},
  ) {
    this.generationEvents = generationEvents
    this.mostGenerations = Math.max(2, Math.floor(mostBytes / filterBytesFor(generationEvents)))
    this.readingMs = readingMs
  }

  /** The filter contains every event received from this time on, in milliseconds; Infinity before anything was read. */
  get coveredFrom(): number {
    return this.coveredSinceMs
  }

  /** Changes whenever the filter is emptied. What was decided by it before that may be wrong. */
  get epoch(): number {
    return this.resets
  }

  get bytes(): number {
    return this.generations.length * filterBytesFor(this.generationEvents)
  }

  /**
   * Whether the filter may contain a uuid. False is certain if `covers` the event; true is wrong for about 4 in 100,000
   * new uuids in each generation.
   */
  mayContain(uuid: string): boolean {
    const hashes = hashesOf(wordsOf(uuid))
    return this.generations.some((generation) => generation.has(hashes))
  }

  /** Whether every earlier sending of this event within 30 days would be in the filter. */
  covers({ uuid }: Pick<PreparedEvent, 'uuid'>, now: Date): boolean {
    if (this.coveredSinceMs <= now.getTime() - recognisedForMs) return true
    const made = timeOfUuid(uuid)
    if (made === undefined || made > now.getTime() + aheadMs) return false
    return made - aheadMs >= this.coveredSinceMs
  }

  /** Whether every event with about the same date would be in the filter. */
  coversDate({ at }: Pick<PreparedEvent, 'at'>): boolean {
    return at.getTime() - 2 * aheadMs >= this.coveredSinceMs
  }

  add(events: Iterable<Pick<PreparedEvent, 'uuid' | 'receivedAt'>>): void {
    for (const { uuid, receivedAt } of events) {
      if (!this.newest || this.newest.isFull) this.newest = this.begin(receivedAt.getTime())
      this.newest.add(hashesOf(wordsOf(uuid)), receivedAt.getTime())
    }
  }

  /** Adds uuids of 16 bytes each, whose events were received until now. */
  async addBytes(uuids: Buffer, now: Date): Promise<void> {
    for (let n = 0; n < uuids.length; n += uuidBytes) {
      if (n % (4096 * uuidBytes) === 0) await new Promise(setImmediate)
      if (!this.newest || this.newest.isFull) this.newest = this.begin(now.getTime())
      this.newest.add(hashesOf(wordsAt(uuids, n)), now.getTime())
    }
  }

  /** Forgets everything; the history is read again. */
  reset(): void {
    this.resets += 1
    this.generations = []
    this.newest = undefined
    this.history = undefined
    this.unread = undefined
    this.coveredSinceMs = Infinity
  }

  /** Reads a part of the history, if any is left. Rejects if the engine cannot answer. */
  async readHistory(now: Date): Promise<void> {
    if (!this.unread) {
      const { resets } = this
      const unread = await this.spansSince(now.getTime() - recognisedForMs)
      // read before the reset, and perhaps without what made it necessary
      if (resets !== this.resets) return
      this.unread = unread
      this.coveredSinceMs = this.unread[0]?.to ?? now.getTime() - recognisedForMs
    }
    const endsAt = performance.now() + this.readingMs
    for (let span = this.unread[0]; span && performance.now() < endsAt; span = this.unread?.[0])
      await this.readSpan(span)
  }

  private async readSpan(span: TimeSpan): Promise<void> {
    const uuids = await this.uuidsOf(span)
    for (let n = 0; n < uuids.length; n += uuidBytes) {
      if (n % (4096 * uuidBytes) === 0) await new Promise(setImmediate)
      if (!this.history || this.history.isFull) {
        if (this.generations.length >= this.mostGenerations) return this.stopReading()
        this.history = this.begin(span.to)
      }
      this.history.add(hashesOf(wordsAt(uuids, n)), span.to)
    }
    // a span that was dropped in the meantime must not count as read
    if (!this.unread?.includes(span)) return
    this.unread.shift()
    this.coveredSinceMs = span.from
  }

  private stopReading(): void {
    this.unread = []
    this.history = undefined
  }

  private begin(latest: number): BloomFilter {
    while (this.generations.length >= this.mostGenerations) this.dropOldest()
    const begun = new BloomFilter(this.generationEvents, latest)
    this.generations.push(begun)
    return begun
  }

  private dropOldest(): void {
    const oldest = this.generations.reduce((a, b) => (b.latest < a.latest ? b : a))
    this.generations = this.generations.filter((generation) => generation !== oldest)
    this.stopReading()
    this.coveredSinceMs = Math.max(this.coveredSinceMs, oldest.latest + 1000)
  }

  /** Returns the spans in which events were received, the latest first. */
  private async spansSince(from: number): Promise<TimeSpan[]> {
    const minutes = await skippingDamagedParts((intact) =>
      this.engine.query<{ minute: number; events: number }>(
        sql`
          select toUInt32(toStartOfMinute(received_at)) as minute, count() as events
          from events
          where ${intact}
            and received_at >= ${dateTime(new Date(from))}
          group by minute
          order by minute desc`,
        { lane: 'ingest' },
      ),
    )
    return spansOf(minutes, from)
  }

  /** The uuids of events received in that time, 16 bytes each. */
  private async uuidsOf({ from, to }: TimeSpan): Promise<Buffer> {
    const rows = await skippingDamagedParts((intact) =>
      this.engine.query<{ digits: string }>(
        sql`
          select arrayStringConcat(groupArray(hex(uuid))) as digits
          from events
          where ${intact}
            and received_at >= ${dateTime(new Date(from))}
            and received_at < ${dateTime(new Date(to))}`,
        { lane: 'ingest' },
      ),
    )
    return Buffer.from(rows[0]?.digits ?? '', 'hex')
  }
}

/** A half-open span of time in milliseconds. */
interface TimeSpan {
  from: number
  to: number
}

/** Joins minutes, the latest first, until there are enough events in them. */
function spansOf(minutes: readonly { minute: number; events: number }[], from: number): TimeSpan[] {
  const spans: TimeSpan[] = []
  let inSpan = 0
  for (const { minute, events } of minutes) {
    const beginsAt = minute * 1000
    const last = spans.at(-1)
    if (last && inSpan + events <= eventsOfSpan) {
      last.from = beginsAt
      inSpan += events
    } else {
      spans.push({ from: beginsAt, to: last?.from ?? beginsAt + 60_000 })
      inSpan = events
    }
  }
  const oldest = spans.at(-1)
  if (oldest) oldest.from = from
  return spans
}

const eventsOfSpan = 100_000
const uuidBytes = 16

const bitsPerEvent = 24
const probes = 8

export const filterBytesFor = (events: number): number => Math.ceil((events * bitsPerEvent) / 32) * 4

/** One Bloom filter. */
class BloomFilter {
  private readonly words: Uint32Array
  private readonly bits: number
  private added = 0

  constructor(
    private readonly mostEvents: number,
    /** When the latest of its events was received, or a little later. */
    public latest: number,
  ) {
    this.words = new Uint32Array(filterBytesFor(mostEvents) / 4)
    this.bits = this.words.length * 32
  }

  get isFull(): boolean {
    return this.added >= this.mostEvents
  }

  add([first, step]: Hashes, receivedAt: number): void {
    this.added += 1
    this.latest = Math.max(this.latest, receivedAt)
    for (let i = 0; i < probes; i++) {
      const bit = ((first + Math.imul(i, step)) >>> 0) % this.bits
      this.words[bit >>> 5] = (this.words[bit >>> 5] ?? 0) | (1 << (bit & 31))
    }
  }

  has([first, step]: Hashes): boolean {
    for (let i = 0; i < probes; i++) {
      const bit = ((first + Math.imul(i, step)) >>> 0) % this.bits
      if (((this.words[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false
    }
    return true
  }
}

type Hashes = readonly [first: number, step: number]

/** The digits of a uuid as four numbers. Other letters count as zero: the engine rejects such uuids. */
function wordsOf(uuid: string): number[] {
  const words = [0, 0, 0, 0]
  let digits = 0
  for (let i = 0; i < uuid.length && digits < 32; i++) {
    const code = uuid.charCodeAt(i)
    if (code === hyphen) continue
    const digit = code < 58 ? code - 48 : (code | 32) - 87
    words[digits >> 3] = ((words[digits >> 3] ?? 0) << 4) | (digit & 15)
    digits += 1
  }
  return words
}

const hyphen = 45

const wordsAt = (uuids: Buffer, at: number): number[] =>
  [0, 4, 8, 12].map((offset) => uuids.readUInt32BE(at + offset))

/** The uuids as `addBytes` takes them. */
export function bytesOfUuids(uuids: readonly string[]): Buffer {
  const bytes = Buffer.alloc(uuids.length * uuidBytes)
  uuids.forEach((uuid, n) =>
    wordsOf(uuid).forEach((word, i) => bytes.writeInt32BE(word | 0, n * uuidBytes + 4 * i)),
  )
  return bytes
}

/** Multiplies and mixes each word: uuids that differ in one bit are far apart. */
function hashesOf(words: readonly number[]): Hashes {
  let first = 0x811c9dc5
  let second = 0x01000193
  for (const word of words) {
    first = mixHash(first ^ word)
    second = mixHash(Math.imul(second, 0x85ebca6b) ^ word)
  }
  return [first, second | 1]
}

function mixHash(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b)
  return twice ^ (twice >>> 16)
}
