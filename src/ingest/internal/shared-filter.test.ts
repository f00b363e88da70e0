import * as fc from 'fast-check'
import { setImmediate as aTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { EngineInMemory } from '#test/deep/crashlab/engine-in-memory'
import { eventNumber, noon } from '#test/deep/crashlab/events'
import { testSeed } from '#test/random/chance'
import type { PreparedEvent } from '#events/event'
import type { TableSource } from '#store/store'
import { Deduplicator, type DeduplicatorDependencies } from './deduplicator'
import { keyOf } from './duplicates'

/** The announcements of all fronts, as Postgres would keep it, and whether some of it was deleted too early for a front. */
class SharedAnnouncements {
  readonly all: { owner: number; uuids: Buffer }[] = []

  of(owner: number, pause: () => Promise<void>) {
    let cursor: number | undefined
    const asleep = { tooLong: false }
    const announcements: DeduplicatorDependencies['announcements'] = {
      get hasBegun() {
        return cursor !== undefined
      },
      begin: async (_source, settle) => {
        // the real one begins with the announcements of some minutes
        const last = Math.max(0, this.all.length - 3)
        await pause()
        await settle()
        cursor = last
        asleep.tooLong = false
      },
      forget: () => (cursor = undefined),
      readNew: async (_source, take, onGap) => {
        await pause()
        if (cursor === undefined) return
        if (asleep.tooLong) {
          cursor = undefined
          return onGap()
        }
        const upTo = this.all.length
        for (const { owner: by, uuids } of this.all.slice(cursor, upTo)) if (by !== owner) await take(uuids)
        cursor = upTo
      },
      announce: async (uuids) => {
        await pause()
        this.all.push({ owner, uuids })
        await pause()
      },
    }
    return { announcements, asleep }
  }
}

/** The announcements are in memory. */
const noTables: TableSource = { tables: () => expect.unreachable() }

class KilledError extends Error {}

/** Fronts that take the same few events again and again, in any order of their steps. */
class Fronts {
  readonly engine = new EngineInMemory()
  private readonly shared = new SharedAnnouncements()
  private turn: Promise<unknown> = Promise.resolve()
  /** The shared work that the next exclusive turn waits for. */
  private sharedTurns: Promise<unknown>[] = []
  lookUps = 0
  insertsBesideOthers = 0

  constructor(
    private readonly random: () => number,
    private readonly trusts: () => boolean = () => true,
  ) {}

  async pause(): Promise<void> {
    for (let turns = Math.floor(this.random() * 4); turns > 0; turns--) await aTurn()
  }

  /** Takes batches until none is left, each filtered while the one before it is stored. A crash leaves a batch unstored. */
  async run(owner: number, batches: readonly (readonly number[])[], risks: Risks): Promise<void> {
    let left = [...batches]
    while (left.length > 0) {
      const done = await this.life(owner, left, risks)
      left = left.slice(done)
    }
  }

  /** One process of a front. Returns the number of batches that were stored. */
  private async life(owner: number, batches: readonly (readonly number[])[], risks: Risks): Promise<number> {
    const pause = () => this.pause()
    const identity = owner * 1000 + Math.floor(this.random() * 1000)
    const { announcements, asleep } = this.shared.of(identity, pause)
    const engine = this.engine.by(async (moment) => {
      if (moment === 'question') this.lookUps += 1
      await pause()
    })
    const deduplicator = new Deduplicator({
      engine,
      now: () => new Date(noon),
      announcements,
      trustsFilter: this.trusts,
    })
    let done = 0
    let inserting: Promise<void> = Promise.resolve()
    try {
      for (const numbers of batches) {
        if (this.random() < risks.sleep) asleep.tooLong = true
        if (this.random() < 0.2) await deduplicator.catchUp(noTables)
        const fresh = await deduplicator.filter(numbers.map((n) => eventNumber(n)))
        await inserting
        await deduplicator.remember(fresh)
        const store = async (): Promise<void> => {
          const events = [...fresh.values()]
          if (events.length > 0) {
            await deduplicator.announce(events)
            if (this.random() < risks.killBefore) throw new KilledError()
            const isInserted = await this.besideOthers(() =>
              this.storeNew(deduplicator, engine, events, risks),
            )
            if (!isInserted) await this.exclusively(() => this.store(deduplicator, engine, events, risks))
          }
          deduplicator.inserted()
          done += 1
        }
        inserting = store()
        inserting.catch(() => {})
      }
      await inserting
    } catch (problem) {
      if (!(problem instanceof KilledError)) throw problem
    }
    return done
  }

  private async storeNew(
    deduplicator: Deduplicator,
    engine: Pick<EngineInMemory, 'insert'>,
    events: readonly PreparedEvent[],
    risks: Risks,
  ): Promise<boolean> {
    if (!(await deduplicator.areNew(events, noTables))) return false
    this.insertsBesideOthers += 1
    await this.insert(engine, events, risks)
    return true
  }

  private async store(
    deduplicator: Deduplicator,
    engine: Pick<EngineInMemory, 'insert'>,
    events: readonly PreparedEvent[],
    risks: Risks,
  ): Promise<void> {
    const stored = await deduplicator.findStored(events, noTables)
    const missing = events.filter((event) => !stored.has(keyOf(event)))
    if (missing.length > 0) await this.insert(engine, missing, risks)
  }

  private async insert(
    engine: Pick<EngineInMemory, 'insert'>,
    events: readonly PreparedEvent[],
    risks: Risks,
  ): Promise<void> {
    if (this.random() < risks.killBefore) throw new KilledError()
    // another front may take all its steps in between
    for (let pauses = this.random() < 0.3 ? 20 : 1; pauses > 0; pauses--) await this.pause()
    await engine.insert('events', events.map(lineOf).join('\n'))
    if (this.random() < risks.killAfter) throw new KilledError()
  }

  private async exclusively(work: () => Promise<void>): Promise<void> {
    const turn = Promise.allSettled([this.turn, ...this.sharedTurns.splice(0)]).then(work)
    this.turn = turn
    await turn
  }

  private async besideOthers<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.turn.catch(() => {}).then(work)
    this.sharedTurns.push(turn)
    return await turn
  }
}

interface Risks {
  killBefore: number
  killAfter: number
  sleep: number
}

const lineOf = ({ projectId, uuid, at, receivedAt }: PreparedEvent): string =>
  JSON.stringify({
    project_id: projectId,
    uuid,
    timestamp: at.toISOString(),
    received_at: receivedAt.toISOString(),
  })

const randomBy = (seed: number): (() => number) => {
  let state = seed | 1
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d)
    state = Math.imul(state ^ (state >>> 12), 0x297a2d39)
    state ^= state >>> 15
    return (state >>> 0) / 2 ** 32
  }
}

const batchesOf = fc.array(fc.array(fc.nat(30), { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 8,
})
const risk = fc.constantFrom(0, 0.2, 0.5)

describe('several fronts with one filter each', () => {
  test('store every event once, whatever is killed, sleeps or loses trust in between', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(batchesOf, { minLength: 1, maxLength: 3 }),
        fc.record({ killBefore: risk, killAfter: risk, sleep: risk }),
        fc.constantFrom(0, 0.3),
        fc.integer(),
        async (fronts, risks, distrust, seed) => {
          const random = randomBy(seed)
          const site = new Fronts(random, () => random() >= distrust)
          await Promise.all(fronts.map((batches, owner) => site.run(owner, batches, risks)))
          const sent = new Set(fronts.flat(2))

          expect(site.engine.uuids).toHaveLength(sent.size)
          expect(new Set(site.engine.uuids).size).toBe(sent.size)
        },
      ),
      { seed: testSeed, numRuns: 400 },
    )
  })

  test('ask the engine for nothing as long as events are new', async () => {
    const lookUpsFor = async (batches: number): Promise<number> => {
      const site = new Fronts(() => 0)
      const newFrom = (first: number) =>
        Array.from({ length: batches }, (_, n) => [first + 2 * n, first + 2 * n + 1])
      await Promise.all(
        [0, 1].map((owner) =>
          site.run(owner, newFrom(1000 * owner), { killBefore: 0, killAfter: 0, sleep: 0 }),
        ),
      )
      expect(site.engine.uuids).toHaveLength(4 * batches)
      // the first two of each front were filtered before it read announcements
      expect(site.insertsBesideOthers).toBe(2 * batches - 4)
      return site.lookUps
    }

    expect(await lookUpsFor(40)).toBe(await lookUpsFor(8))
  })
})
