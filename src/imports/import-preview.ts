import { hash } from 'node:crypto'
import { dropReasons } from '#events/event'
import { type HistoryCheck, openHistoryCheck } from '#ingest/history-preparation'
import type { ProjectIngestSettings } from '#ingest/settings'
import { UnreadableFileError } from './files/limits'
import { type ImportedEvent, incomingEventOf } from './internal/imported-event'
import type { Portion, PortionSettings } from './portions'
import { readPortions } from './recognised-portions'

/** The expected result of an import of files. Each row is in `events`, `repeated` or `dropped`, or has `sums`. */
export interface ImportPreview {
  rows: number
  /** The number of events that would be stored if none is there already. */
  events: number
  /** The number of events with the id of an earlier one in the files. They are stored once. */
  repeated: number
  /** Daily totals, of a product that exports no events. */
  sums: number
  /** Persons and groups. */
  profiles: number
  /** The number of rows that would be left out, by the reason. */
  dropped: Record<string, number>
  firstAt: string | undefined
  lastAt: string | undefined
  /** The most frequent names of events. */
  names: { name: string; events: number }[]
  nameCount: number
  /** The first events, as they would be stored. */
  first: ImportedEvent[]
  /** Ids of some events, evenly over all of them: whether they are stored says about how many are. */
  sample: string[]
  /** Why the files could not be read to their end. */
  problem: string | undefined
}

const namesShown = 10
const firstShown = 3
/** The least number of ids in a sample; the most is twice as many. */
const leastSampled = 1000
const progressEveryMs = 500

export interface PreviewSettings extends PortionSettings {
  /** The name of the source. */
  sourceName: string
  /** The settings of the project that the events are for. */
  intake: ProjectIngestSettings
}

/** Reads files to their end and says what an import would bring, by the same steps. */
export async function previewImport(
  paths: readonly string[],
  settings: PreviewSettings,
  onProgress: (rows: number) => void = () => {},
): Promise<ImportPreview> {
  const check = await openHistoryCheck(settings.sourceName, settings.intake, settings.now)
  const tally = new PreviewTally(check)
  let toldAt = performance.now()
  try {
    await readPortions(paths, settings, async (portions) => {
      for await (const portion of portions) {
        tally.add(portion)
        if (performance.now() - toldAt < progressEveryMs) continue
        toldAt = performance.now()
        onProgress(tally.rows)
      }
    })
  } catch (problem) {
    if (!(problem instanceof UnreadableFileError)) throw problem
    return tally.preview(problem.message)
  }
  return tally.preview(undefined)
}

/** Counts what would come of rows. Its memory is bounded by the number of names that an import may have. */
class PreviewTally {
  rows = 0
  private events = 0
  private repeated = 0
  private sums = 0
  private profiles = 0
  private readonly dropped: Record<string, number> = {}
  private readonly names = new Map<string, number>()
  private readonly ids = new SeenIds()
  private readonly sample = new EvenSample(leastSampled)
  private readonly first: ImportedEvent[] = []
  private firstAt: string | undefined
  private lastAt: string | undefined

  constructor(private readonly check: HistoryCheck) {}

  add({ rows, events, sums, profiles, dropped }: Portion): void {
    this.rows += rows
    this.sums += sums.length
    this.profiles += profiles.length
    for (const [reason, amount] of Object.entries(dropped)) this.addDropped(reason, amount)
    for (const event of events) this.addEvent(event)
    for (const { day } of sums) this.addTime(`${day}T00:00:00.000Z`)
  }

  preview(problem: string | undefined): ImportPreview {
    const names = [...this.names].map(([name, events]) => ({ name, events }))
    return {
      rows: this.rows,
      events: this.events,
      repeated: this.repeated,
      sums: this.sums,
      profiles: this.profiles,
      dropped: this.dropped,
      firstAt: this.firstAt,
      lastAt: this.lastAt,
      names: names.toSorted((one, other) => other.events - one.events).slice(0, namesShown),
      nameCount: names.length,
      first: this.first,
      sample: this.sample.taken(),
      problem,
    }
  }

  private addDropped(reason: string, amount: number): void {
    this.dropped[reason] = (this.dropped[reason] ?? 0) + amount
  }

  private addEvent(event: ImportedEvent): void {
    const { name, at, uuid } = event
    // the steps of an import may write into an event
    const shown = this.first.length < firstShown ? structuredClone(event) : undefined
    const reason = this.check(incomingEventOf(event))
    if (reason) return this.addDropped(dropReasons[reason], 1)
    if (!this.ids.add(uuid)) {
      this.repeated++
      return
    }
    this.events++
    if (shown) this.first.push(shown)
    this.names.set(name, (this.names.get(name) ?? 0) + 1)
    this.sample.add(uuid)
    this.addTime(at)
  }

  private addTime(at: string): void {
    if (this.firstAt === undefined || at < this.firstAt) this.firstAt = at
    if (this.lastAt === undefined || at > this.lastAt) this.lastAt = at
  }
}

/** Takes every n-th text; n doubles whenever twice as many as needed are taken. */
class EvenSample {
  private texts: string[] = []
  private seen = 0
  private every = 1

  constructor(private readonly least: number) {}

  add(text: string): void {
    if (this.seen++ % this.every > 0) return
    this.texts.push(text)
    if (this.texts.length <= 2 * this.least) return
    this.texts = this.texts.filter((_, i) => i % 2 === 0)
    this.every *= 2
  }

  taken(): string[] {
    return [...new Set(this.texts)]
  }
}

const mostIds = 2 ** 23
const leastSlots = 2 ** 16

/**
 * Tells ids that were there before. It keeps 52 bits of each, in a table outside of the heap: that any two of eight
 * million different ids have the same ones has a chance of one in a hundred. Further ids are compared with those alone.
 */
class SeenIds {
  private slots = new Float64Array(leastSlots)
  private count = 0

  /** Returns whether the id is new. */
  add(id: string): boolean {
    const digest = hash('md5', id.toLowerCase(), 'buffer')
    const mark = digest.readUInt32LE(0) * 2 ** 20 + (digest.readUInt32LE(4) >>> 12) + 1
    const slot = this.slotOf(mark)
    if (this.slots[slot] === mark) return false
    if (this.count >= mostIds) return true
    this.slots[slot] = mark
    if (++this.count * 2 > this.slots.length) this.grow()
    return true
  }

  /** The slot of a mark, or the free one where it belongs. */
  private slotOf(mark: number): number {
    const last = this.slots.length - 1
    let slot = mark % this.slots.length
    while (this.slots[slot] !== 0 && this.slots[slot] !== mark) slot = slot === last ? 0 : slot + 1
    return slot
  }

  private grow(): void {
    const before = this.slots
    this.slots = new Float64Array(before.length * 2)
    for (const mark of before) if (mark !== 0) this.slots[this.slotOf(mark)] = mark
  }
}
