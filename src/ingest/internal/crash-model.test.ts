import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomBy } from '#bench/busy-site'
import { EngineInMemory } from '#test/deep/crashlab/engine-in-memory'
import { eventNumber, noon } from '#test/deep/crashlab/events'
import { LosingDisk } from '#test/deep/crashlab/losing-disk'
import { PeopleInMemory } from '#test/deep/crashlab/people-in-memory'
import type { PreparedEvent } from '#events/event'
import { runs } from '#test/random/chance'
import { Batches } from './batches'
import { Journal } from './journal'
import { parseJournalLine } from './journal-lines'
import type { JournalRecord } from './journal-reader'

/** One life of the process: what clients send, at which of its steps it dies, and how. */
interface Life {
  sends: readonly { amount: number; atOnce: boolean; again: number; forgetsStored: boolean }[]
  diesAtStep: number
  byPowerCut: boolean
  failingSync: number | undefined
  batchBytes: number
}

const lives = fc.array(
  fc.record<Life>({
    sends: fc.array(
      fc.record({
        amount: fc.integer({ min: 1, max: 4 }),
        atOnce: fc.boolean(),
        again: fc.nat(2),
        forgetsStored: fc.nat(3).map((n) => n === 0),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    diesAtStep: fc.integer({ min: 1, max: 120 }),
    byPowerCut: fc.boolean(),
    failingSync: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
    batchBytes: fc.constantFrom(1, 1500, 8000),
  }),
  { minLength: 1, maxLength: 5 },
)

/** Everything outside the process: the disk, the engine, the store, and the clients with what they were told. */
class Outside {
  readonly engine = new EngineInMemory()
  readonly people = new PeopleInMemory()
  readonly disk: LosingDisk
  readonly acknowledged = new Set<string>()
  readonly sent: PreparedEvent[] = []
  readonly broken: string[] = []

  constructor(seed: number) {
    const chance = randomBy(seed)
    this.disk = new LosingDisk(chance)
    this.engine.goesOnAlone = () => chance() < 0.3
  }

  async live({ sends, diesAtStep, byPowerCut, failingSync, batchBytes }: Life): Promise<void> {
    this.disk.heal()
    this.disk.crashIn(diesAtStep)
    if (failingSync) this.disk.failOn({ on: 'sync', from: failingSync, times: 1, code: 'EIO' })
    const stop = await this.start(batchBytes).catch(() => undefined)
    for (const { amount, atOnce, again, forgetsStored } of stop ? sends : []) {
      const answered = this.send(stop, [
        ...this.newEvents(amount),
        ...this.sent.slice(-again || this.sent.length),
      ])
      if (forgetsStored) await stop?.journal.forgetStored().catch(() => {})
      if (!atOnce) await answered
    }
    if (byPowerCut) this.disk.cutPower()
    else this.disk.kill()
    await stop?.batches.close()
    await stop?.journal.close()
  }

  /** The last life goes well. */
  async finish(): Promise<Batches> {
    this.disk.heal()
    this.disk.kill()
    const { batches } = await this.start(8000)
    expect(await batches.drain(10_000)).toBe(true)
    await batches.close()
    await this.engine.isQuiet()
    return batches
  }

  private async start(batchBytes: number) {
    const { step, ...files } = this.disk.files()
    const engine = this.engine.by(step)
    const people = this.people.by(step)
    const now = () => new Date(noon)
    const limits = { segmentBytes: 3000 }
    const onGone = () => this.broken.push('a segment was called gone')
    const journal = await Journal.open({
      folder: '/data/journal',
      files,
      limits,
      now,
      onMissingSegments: onGone,
    })
    this.watch(journal)
    const retryMs = { first: 1, most: 1 }
    const quarantine = { keep: async () => expect.unreachable('nothing here is poison') }
    const batches = new Batches({
      journal,
      engine,
      personResolver: people,
      quarantine,
      now,
      everyMs: 0,
      batchBytes,
      retryMs,
    })
    batches.start()
    return { journal, batches }
  }

  private newEvents(amount: number): PreparedEvent[] {
    // three months, so that an insert can be there in part; each event knows its month by its number
    const events = Array.from({ length: amount }, (_, i) => {
      const n = this.sent.length + i
      return eventNumber(n, { at: new Date(noon + (n % 3) * 31 * 86_400_000) })
    })
    this.sent.push(...events)
    return events
  }

  private async send(
    { journal }: { journal: Journal } | undefined = unreachable(),
    events: readonly PreparedEvent[],
  ) {
    const outcome = await journal.append(events)
    if (outcome === 'written') for (const { uuid } of events) this.acknowledged.add(uuid)
  }

  /** Notes when something is called stored that the engine does not have. */
  private watch(journal: Journal): void {
    const handedOut: JournalRecord[] = []
    const read = journal.read.bind(journal)
    journal.read = async (bytes) => {
      const records = await read(bytes)
      handedOut.push(...records)
      return records
    }
    const checkpoint = journal.checkpoint.bind(journal)
    journal.checkpoint = async (upTo) => {
      const there = new Set(this.engine.uuids)
      const done = handedOut
        .filter(({ sequence }) => sequence <= upTo)
        .flatMap(({ text }) => text.split('\n'))
      this.broken.push(...done.map((line) => parseJournalLine(line).uuid).filter((uuid) => !there.has(uuid)))
      await checkpoint(upTo)
    }
  }
}

function unreachable(): never {
  throw new Error('It never started.')
}

const twice = (values: readonly string[]) => values.filter((value, i) => values.indexOf(value) !== i)

test('C1: whenever the process dies, whatever was acknowledged is stored once, and told to people once', async () => {
  await fc.assert(
    fc.asyncProperty(lives, fc.nat(), async (history, seed) => {
      const outside = new Outside(seed)
      for (const life of history) await outside.live(life)
      const batches = await outside.finish()

      const { uuids } = outside.engine
      expect([...outside.acknowledged].filter((uuid) => !uuids.includes(uuid))).toEqual([])
      expect(twice(uuids)).toEqual([])
      expect(outside.people.applied.toSorted()).toEqual(uuids.toSorted())
      expect(outside.broken).toEqual([])
      expect(batches.counts()).toMatchObject({ pending: 0, quarantined: 0 })
    }),
    { numRuns: runs(150) },
  )
})
