import { UnreadableFileError } from './files/limits'
import type { ImportedEvent } from './internal/imported-event'
import { type Portion, portionsOf, type PortionSettings } from './portions'
import { readSource } from './source-reader'

/** The expected result of an import of files. */
export interface ImportPreview {
  rows: number
  events: number
  /** Daily totals, of a product that exports no events. */
  sums: number
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

/** Reads files to their end and says what an import would bring. */
export async function previewImport(
  paths: readonly string[],
  settings: PortionSettings,
  onProgress: (rows: number) => void = () => {},
): Promise<ImportPreview> {
  const tally = new PreviewTally()
  let toldAt = performance.now()
  try {
    await readSource(paths, settings.source, async (read) => {
      for await (const portion of portionsOf(read, settings)) {
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
  private sums = 0
  private readonly dropped: Record<string, number> = {}
  private readonly names = new Map<string, number>()
  private readonly sample = new EvenSample(leastSampled)
  private readonly first: ImportedEvent[] = []
  private firstAt: string | undefined
  private lastAt: string | undefined

  add({ rows, events, sums, dropped }: Portion): void {
    this.rows += rows
    this.events += events.length
    this.sums += sums.length
    for (const [reason, amount] of Object.entries(dropped))
      this.dropped[reason] = (this.dropped[reason] ?? 0) + amount
    for (const event of events) this.addEvent(event)
    for (const { day } of sums) this.addTime(`${day}T00:00:00.000Z`)
    this.first.push(...events.slice(0, firstShown - this.first.length))
  }

  preview(problem: string | undefined): ImportPreview {
    const names = [...this.names].map(([name, events]) => ({ name, events }))
    return {
      rows: this.rows,
      events: this.events,
      sums: this.sums,
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

  private addEvent({ name, at, uuid }: ImportedEvent): void {
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
