import { describe, expect, onTestFinished, test } from 'vitest'
import { EngineInMemory, failing } from '#test/deep/crashlab/engine-in-memory'
import { eventNumber, eventNumbers, noon, plain } from '#test/deep/crashlab/events'
import { LosingDisk } from '#test/deep/crashlab/losing-disk'
import { PeopleInMemory, personOf } from '#test/deep/crashlab/people-in-memory'
import type { PreparedEvent } from '#events/event'
import { Batches, type BatchesSettings, type FrontCoordination, type StoredEvent } from './batches'
import { bytesOfUuids } from '../recent-event-filter'
import { Journal } from './journal'
import { formatJournalLine } from './journal-lines'
import { draftRecord, numberRecord } from './journal-records'
import type { RejectedRow } from './quarantine'

/** A journal, batches and what they carry events to. `restart` is a new process on what the old one left. */
async function aSite(settings: Partial<BatchesSettings> = {}) {
  const disk = new LosingDisk()
  const engine = new EngineInMemory()
  const people = new PeopleInMemory()
  const quarantined: RejectedRow[] = []
  const troubles: string[] = []
  const stored: StoredEvent[] = []

  const start = async (changes: Partial<BatchesSettings> = {}) => {
    const now = () => new Date(noon)
    const journal = await Journal.open({ folder: '/data/journal', files: disk.files(), now })
    const batches = new Batches({
      journal,
      engine,
      personResolver: people,
      now,
      everyMs: 0,
      retryMs: { first: 1, most: 5 },
      quarantine: { keep: async (rows) => void quarantined.push(...rows) },
      onTrouble: (problem) => troubles.push(problem instanceof Error ? problem.message : String(problem)),
      ...settings,
      ...changes,
    })
    batches.onStored((events) => stored.push(...events))
    batches.start()
    onTestFinished(() => batches.close())
    return { journal, batches }
  }
  let running = await start()

  return {
    disk,
    engine,
    people,
    quarantined,
    troubles,
    stored,
    counts: () => running.batches.counts(),
    batches: () => running.batches,
    journal: () => running.journal,

    async take(events: readonly PreparedEvent[]): Promise<void> {
      expect(await running.journal.append(events)).toBe('written')
    },

    async allStored(): Promise<void> {
      expect(await running.batches.drain(10_000)).toBe(true)
    },

    async takeAndStore(events: readonly PreparedEvent[]): Promise<void> {
      await this.take(events)
      await this.allStored()
    },

    async restart(changes: Partial<BatchesSettings> = {}): Promise<void> {
      disk.kill()
      await running.batches.close()
      running = await start(changes)
    },
  }
}

const uuidsOf = (events: readonly PreparedEvent[]) => events.map(({ uuid }) => uuid)
const sumOf = ({ stored, deduplicated, quarantined, forgotten, pending }: ReturnType<Batches['counts']>) =>
  stored + deduplicated + quarantined + forgotten + pending

describe('what waited before a restart', () => {
  test('is counted before anything of it could be stored, with when the oldest came', async () => {
    const site = await aSite()
    await site.takeAndStore(eventNumbers(0, 100))
    site.engine.hindrance = () => {
      throw failing('unavailable')
    }
    await site.take(eventNumbers(100, 700))
    await site.take(eventNumbers(800, 300))
    await site.restart({ personResolver: unreachablePeople })
    await site.journal().backlogCount

    expect(site.batches().backlog()).toEqual({
      events: 1000,
      byProject: {},
      isEstimate: false,
      oldestAt: new Date(noon + 100),
    })
    expect(site.counts()).toMatchObject({ accepted: 1000, pending: 1000 })

    site.engine.hindrance = () => {}
    await site.restart()
    await site.allStored()
    expect(site.batches().backlog()).toEqual({
      events: 0,
      byProject: {},
      isEstimate: false,
      oldestAt: undefined,
    })
    expect(site.counts()).toMatchObject({ accepted: 1000, stored: 1000, pending: 0 })
  })
})

/** A store that does not answer: nothing of the journal is read meanwhile. */
const unreachablePeople: BatchesSettings['personResolver'] = {
  processedUpTo: () => Promise.reject(new Error('The store is away.')),
  resolve: () => Promise.reject(new Error('The store is away.')),
}

describe('events', () => {
  test('are stored in the order of the journal, each with its person, and then told about', async () => {
    const site = await aSite()
    await site.takeAndStore(eventNumbers(0, 300))
    await site.takeAndStore(eventNumbers(300, 20))

    const all = eventNumbers(0, 320)
    expect(site.engine.uuids).toEqual(uuidsOf(all))
    expect(site.engine.rows.map((row) => row.person_id)).toEqual(
      all.map(({ distinctId }) => personOf(distinctId)),
    )
    expect(site.stored.map(({ event, personId }) => ({ event: plain(event), personId }))).toEqual(
      all.map((event) => ({ event, personId: personOf(event.distinctId) })),
    )
    expect(site.counts()).toEqual({
      accepted: 320,
      stored: 320,
      deduplicated: 0,
      quarantined: 0,
      forgotten: 0,
      pending: 0,
    })
  })

  test('are stored whatever those who are told about them make of it', async () => {
    const site = await aSite()
    site.batches().onStored(() => {
      throw new Error('I have no room left.')
    })
    await storeInTurn(site, eventNumbers(0, 3))

    expect(site.stored).toHaveLength(3)
    expect(site.troubles).toEqual(Array(3).fill('I have no room left.'))
  })

  test('are inserted while the checkpoint of the previous batch is written, and no further ahead', async () => {
    const everythingTaken = Promise.withResolvers<void>()
    const people = new PeopleInMemory()
    const readUpTo = () => everythingTaken.promise.then(() => people.processedUpTo())
    const resolve: BatchesSettings['personResolver']['resolve'] = (events, upTo) =>
      people.resolve(events, upTo)
    const site = await aSite({ batchBytes: 1, personResolver: { processedUpTo: readUpTo, resolve } })
    const journal = site.journal()
    const write = journal.checkpoint.bind(journal)
    const written: number[] = []
    const disk = Promise.withResolvers<void>()
    journal.checkpoint = async (upTo) => {
      await disk.promise
      await write(upTo)
      written.push(upTo)
    }
    const second = new Promise<void>((begun) => {
      site.engine.hindrance = () => {
        if (site.engine.inserts.length === 2) begun()
      }
    })
    for (let n = 0; n < 5; n++) await site.take(eventNumbers(n * 10, 10))
    everythingTaken.resolve()
    await second
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
    expect(site.engine.inserts).toEqual([10, 10])
    expect(site.stored).toEqual([])

    disk.resolve()
    await site.allStored()
    expect(written).toHaveLength(5)
    expect(written).toEqual(written.toSorted((a, b) => a - b))
    expect(uuidsOf(site.stored.map(({ event }) => event))).toEqual(uuidsOf(eventNumbers(0, 50)))
  })

  test('are behind until they are stored, and not while the checkpoint is written', async () => {
    const site = await aSite()
    const journal = site.journal()
    const write = journal.checkpoint.bind(journal)
    const disk = Promise.withResolvers<void>()
    journal.checkpoint = async (upTo) => {
      await disk.promise
      await write(upTo)
    }
    await site.take(eventNumbers(0, 10))
    await expect.poll(() => site.counts().pending).toBe(0)
    expect(site.batches().backlog()).toEqual({
      events: 0,
      byProject: {},
      isEstimate: false,
      oldestAt: undefined,
    })

    disk.resolve()
    await site.allStored()
  })

  test('that gathered while a batch was under way go together', async () => {
    const site = await aSite()
    await Promise.all(eventNumbers(0, 100).map((event) => site.take([event])))
    await site.allStored()

    expect(site.engine.rows).toHaveLength(100)
    expect(site.engine.inserts.length).toBeLessThan(10)
  })

  test('of very many months go in inserts the engine takes', async () => {
    const site = await aSite()
    const month = 31 * 86_400_000
    const history = eventNumbers(0, 130).map((event, n) => ({ ...event, at: new Date(noon - n * month) }))
    await site.takeAndStore(history)

    expect(site.engine.uuids.toSorted()).toEqual(uuidsOf(history).toSorted())
    expect(site.engine.inserts).toEqual([50, 50, 30])
  })
})

const weeksAgo = (n: number): PreparedEvent => {
  const at = new Date(noon - 21 * 86_400_000)
  return eventNumber(n, { at, receivedAt: at })
}

describe('an event that was sent again', () => {
  test.each([
    [
      'in the same request',
      async (site: Site) => site.takeAndStore([eventNumber(1), eventNumber(2), eventNumber(1)]),
    ],
    [
      'a moment later',
      async (site: Site) => storeInTurn(site, [eventNumber(1), eventNumber(2), eventNumber(1)]),
    ],
    [
      'after a restart',
      async (site: Site) => {
        await storeInTurn(site, [eventNumber(1), eventNumber(2)])
        await site.restart()
        await site.takeAndStore([eventNumber(1)])
      },
    ],
    [
      'weeks later, as it was',
      async (site: Site) => {
        const old = { at: new Date(noon - 40 * 86_400_000) }
        await storeInTurn(site, [eventNumber(1, old), eventNumber(2)])
        await site.restart()
        await site.takeAndStore([eventNumber(1, old)])
      },
    ],
    [
      'with its time corrected by a little more',
      async (site: Site) => {
        await storeInTurn(site, [eventNumber(1), eventNumber(2)])
        await site.restart()
        await site.takeAndStore([eventNumber(1, { at: new Date(noon + 60_000) })])
      },
    ],
    [
      'as something else',
      async (site: Site) =>
        storeInTurn(site, [eventNumber(1), eventNumber(2), eventNumber(1, { name: 'another' })]),
    ],
    [
      'through another server',
      async (site: Site) => {
        await site.restart({ trustsFilter: () => false })
        site.engine.rows.push(rowAlike(eventNumber(1)))
        await storeInTurn(site, [eventNumber(1), eventNumber(2)])
      },
    ],
    [
      'with another date',
      async (site: Site) => storeInTurn(site, [weeksAgo(1), eventNumber(2), eventNumber(1)]),
    ],
    [
      'with another date after a restart three weeks later',
      async (site: Site) => {
        await storeInTurn(site, [weeksAgo(1), eventNumber(2)])
        await site.restart()
        await site.takeAndStore([eventNumber(1)])
      },
    ],
    [
      'with another date, where the filter has no room for the first',
      async (site: Site) => {
        await site.restart({ uuidFilterBytes: 0 })
        await storeInTurn(site, [weeksAgo(1), eventNumber(2), eventNumber(1)])
      },
    ],
    [
      'with another date through another server',
      async (site: Site) => {
        await site.restart({ trustsFilter: () => false })
        site.engine.rows.push(rowAlike(weeksAgo(1)))
        await storeInTurn(site, [eventNumber(1), eventNumber(2)])
      },
    ],
  ])('%s is stored once', async (_, send) => {
    const site = await aSite()
    await send(site)

    expect(site.engine.uuids.toSorted()).toEqual(uuidsOf([eventNumber(1), eventNumber(2)]).toSorted())
    expect(site.counts()).toMatchObject({ deduplicated: 1, pending: 0 })
    expect(site.stored.map(({ event }) => event.name)).not.toContain('another')
  })

  test('with another date is stored once by fronts that take turns', async () => {
    const site = await aSite()
    const exclusively: FrontCoordination['exclusively'] = async (work) => {
      // another front stores it between this front's first look-up and its turn
      site.engine.rows.push(rowAlike(weeksAgo(1)))
      return await work(() => true, { tables: () => expect.unreachable() })
    }
    const announcements = {
      hasBegun: true,
      begin: async () => {},
      forget: () => {},
      readNew: async (_source: unknown, take: (uuids: Buffer) => Promise<void>) =>
        take(bytesOfUuids([weeksAgo(1).uuid])),
      announce: async () => {},
    }
    const otherFronts = {
      exclusively,
      besideOthers: async <Outcome>(work: Parameters<typeof exclusively<Outcome>>[0]) =>
        await work(() => true, { tables: () => expect.unreachable() }),
      announcements,
      agreeOnSessions: async () => new Map(),
    }
    await site.restart({ frontCoordination: otherFronts })
    await site.takeAndStore([eventNumber(1)])
    expect(uuidsOf([eventNumber(1)])).toEqual(site.engine.uuids)
  })

  test('is not told to people again', async () => {
    const site = await aSite()
    await storeInTurn(site, [eventNumber(1), eventNumber(1), eventNumber(2)])
    expect(site.people.applied).toEqual(uuidsOf([eventNumber(1), eventNumber(2)]))
  })

  test('in another project is another event', async () => {
    const site = await aSite()
    await storeInTurn(site, [eventNumber(1), eventNumber(1, { projectId: 2 })])
    expect(site.engine.rows.map((row) => row.project_id)).toEqual([1, 2])
  })

  test('is stored again after it was deleted, also where no other event came between', async () => {
    const site = await aSite()
    await site.takeAndStore([eventNumber(1), eventNumber(2)])
    site.engine.rows.splice(0)
    await site.takeAndStore([eventNumber(1), eventNumber(2)])
    expect(site.engine.uuids).toEqual(uuidsOf([eventNumber(1), eventNumber(2)]))
  })

  test('costs no query as long as events are certainly new', async () => {
    const site = await aSite()
    await site.takeAndStore(eventNumbers(0, 10))
    const { questions } = site.engine
    for (let n = 10; n < 20; n++) await site.takeAndStore([eventNumber(n)])
    expect(site.engine.questions).toBe(questions)
  })
})

type Site = Awaited<ReturnType<typeof aSite>>

async function storeInTurn(site: Site, events: readonly PreparedEvent[]): Promise<void> {
  for (const event of events) await site.takeAndStore([event])
}

function rowAlike({ projectId, uuid, at, receivedAt }: PreparedEvent) {
  const times = { timestamp: at.toISOString(), received_at: receivedAt.toISOString() }
  return { project_id: projectId, uuid, ...times, person_id: '', properties: {} }
}

describe('C20: a row the engine will not take', () => {
  const poisonous =
    (...numbers: number[]) =>
    ({ properties }: { properties: Record<string, string> }) =>
      numbers.includes(Number(properties['n']))

  test.each([
    // the number of events, the poison among them, and the most inserts it may take to find out
    [1, [0], 1],
    [2, [1], 3],
    [1000, [617], 21],
    [1000, [0, 999], 39],
    [64, [10, 11, 12, 40], 40],
  ])(
    'of %i, %j, is put aside with the reason, and the others are stored',
    async (amount, poison, mostInserts) => {
      const site = await aSite()
      site.engine.isPoison = poisonous(...poison)
      await site.takeAndStore(eventNumbers(0, amount))

      const sound = eventNumbers(0, amount).filter((_, n) => !poison.includes(n))
      expect(site.engine.uuids.toSorted()).toEqual(uuidsOf(sound).toSorted())
      expect(
        site.quarantined.map(({ row }) => Number(JSON.parse(row).properties.n)).toSorted((a, b) => a - b),
      ).toEqual(poison)
      expect(site.quarantined[0]?.reason).toContain('Cannot parse')
      expect(site.engine.inserts.length).toBeLessThanOrEqual(mostInserts)
      expect(site.counts()).toMatchObject({ stored: sound.length, quarantined: poison.length, pending: 0 })
    },
  )

  test('holds up nothing that comes after it', async () => {
    const site = await aSite()
    site.engine.isPoison = poisonous(1, 3)
    await storeInTurn(site, eventNumbers(0, 6))
    expect(site.engine.rows.map((row) => row.properties['n'])).toEqual(['0', '2', '4', '5'])
  })

  test('nor does a line of the journal that this version cannot read', async () => {
    const site = await aSite()
    site.engine.hindrance = () => {
      throw failing('unavailable')
    }
    await site.take(eventNumbers(0, 2))
    const strange = draftRecord(['{"form":2}', 'not even JSON', formatJournalLine(eventNumber(2))].join('\n'))
    numberRecord(strange, noon * 1000 + 1)
    const path = site.disk.paths().find((name) => name.endsWith('.journal')) ?? ''
    site.disk.damage(path, (content) => Buffer.concat([content, strange]))
    site.engine.hindrance = () => {}
    await site.restart()
    await site.takeAndStore([eventNumber(3)])

    expect(site.engine.rows.map((row) => row.properties['n'])).toEqual(['0', '1', '2', '3'])
    expect(site.quarantined.map(({ row }) => row)).toEqual(['{"form":2}', 'not even JSON'])
    expect(site.counts()).toEqual({
      accepted: 6,
      stored: 4,
      deduplicated: 0,
      quarantined: 2,
      forgotten: 0,
      pending: 0,
    })
  })

  test('is not let go before it is on disk in the quarantine', async () => {
    let fails = 3
    const kept: RejectedRow[] = []
    const site = await aSite({
      quarantine: {
        keep: async (rows) => {
          if (fails-- > 0) throw new Error('The disk is full.')
          kept.push(...rows)
        },
      },
    })
    site.engine.isPoison = poisonous(1)
    await site.takeAndStore(eventNumbers(0, 3))

    expect(kept).toHaveLength(1)
    expect(site.troubles).toEqual(Array(3).fill('The disk is full.'))
  })

  test('is never blamed when the engine would refuse every row', async () => {
    const site = await aSite()
    let refusals = 3
    site.engine.hindrance = (moment) => {
      if (moment === 'before' && refusals-- > 0) throw failing('rejected', '60')
    }
    await site.takeAndStore(eventNumbers(0, 3))
    expect(site.engine.rows).toHaveLength(3)
    expect(site.quarantined).toEqual([])
  })
})

describe('while the engine is away', () => {
  test('events wait in the journal, the reason is said, and all is well when it is back', async () => {
    const site = await aSite()
    let isAway = true
    site.engine.hindrance = () => {
      if (isAway) throw failing('unavailable')
    }
    for (let n = 0; n < 50; n++) await site.take([eventNumber(n)])
    await expect.poll(() => site.batches().trouble).toBe('It is unavailable.')
    expect(site.counts()).toEqual({
      accepted: 50,
      stored: 0,
      deduplicated: 0,
      quarantined: 0,
      forgotten: 0,
      pending: 50,
    })
    expect(await site.batches().drain(20)).toBe(false)

    isAway = false
    await site.allStored()
    expect(site.engine.uuids).toEqual(uuidsOf(eventNumbers(0, 50)))
    expect(site.batches().trouble).toBeUndefined()
  })

  test('a stop leaves them in the journal, and the next start stores them', async () => {
    const site = await aSite()
    site.engine.hindrance = () => {
      throw failing('unavailable')
    }
    await site.take(eventNumbers(0, 20))
    await site.batches().close()
    site.engine.hindrance = () => {}
    await site.restart()
    await site.allStored()

    expect(site.engine.uuids).toEqual(uuidsOf(eventNumbers(0, 20)))
    expect(site.counts()).toEqual({
      accepted: 20,
      stored: 20,
      deduplicated: 0,
      quarantined: 0,
      forgotten: 0,
      pending: 0,
    })
  })

  test('the next start tells of those it found, and of none that came since', async () => {
    const site = await aSite()
    site.engine.hindrance = () => {
      throw failing('unavailable')
    }
    await site.take(eventNumbers(0, 20))
    site.engine.hindrance = () => {}
    const replayed: PreparedEvent[] = []
    await site.restart({ onReplayed: (events) => replayed.push(...events) })
    await site.takeAndStore(eventNumbers(20, 5))

    expect(uuidsOf(replayed)).toEqual(uuidsOf(eventNumbers(0, 20)))
  })
})

describe('an insert whose outcome is unknown', () => {
  const months = eventNumbers(0, 30).map((event, n) => ({
    ...event,
    at: new Date(noon - (n % 3) * 31 * 86_400_000),
  }))

  test.each([
    ['before anything was stored', 'before', 'unavailable'],
    ['between two months', 'between', 'unavailable'],
    ['when all was stored and only the answer was lost', 'after', 'unavailable'],
    ['at its deadline', 'after', 'deadline'],
    ['at its deadline, halfway', 'between', 'deadline'],
    ['when it was cancelled', 'between', 'cancelled'],
    ['on a full disk', 'between', 'disk-full'],
    ['for want of memory', 'between', 'memory'],
    ['by a surprise', 'between', undefined],
  ] as const)('%s is tried again with what is missing, and counted once', async (_, at, failure) => {
    const site = await aSite()
    let failures = 4
    site.engine.hindrance = (moment) => {
      if (moment === at && failures-- > 0) throw failure ? failing(failure) : new TypeError('a bug')
    }
    await site.takeAndStore(months)

    expect(site.engine.uuids.toSorted()).toEqual(uuidsOf(months).toSorted())
    expect(site.counts()).toMatchObject({ stored: 30, deduplicated: 0, quarantined: 0, pending: 0 })
  })

  test('is never stored by two when the engine goes on with the first by itself', async () => {
    const site = await aSite()
    let failures = 2
    site.engine.goesOnAlone = () => true
    site.engine.hindrance = (moment) => {
      if (moment === 'between' && failures-- > 0) throw failing('deadline')
    }
    await site.takeAndStore(months)
    await site.engine.isQuiet()

    expect(site.engine.uuids.toSorted()).toEqual(uuidsOf(months).toSorted())
  })

  test('is tried again smaller where it was too much at once', async () => {
    const site = await aSite()
    site.engine.hindrance = (moment, rows) => {
      if (moment === 'before' && rows > 600) throw failing('memory')
    }
    await site.takeAndStore(eventNumbers(0, 2000))
    expect(site.engine.inserts).toEqual([2000, 1000, 500, 500, 1000, 500, 500])
  })
})

describe('people', () => {
  test('are asked again when they cannot answer, and told everything once', async () => {
    const people = new PeopleInMemory()
    let failures = 3
    const hindrance = async () => {
      if (failures-- > 0) throw new Error('The store is busy.')
    }
    const site = await aSite({ personResolver: people.by(hindrance) })
    await site.takeAndStore(eventNumbers(0, 5))

    expect(people.applied).toEqual(uuidsOf(eventNumbers(0, 5)))
    expect(site.engine.rows).toHaveLength(5)
    expect(site.troubles[0]).toBe('The store is busy.')
  })

  test('never get events from before and after a crash in one batch', async () => {
    const site = await aSite()
    site.engine.hindrance = (moment) => {
      if (moment === 'before') throw failing('unavailable')
    }
    await site.take(eventNumbers(0, 3))
    await expect.poll(() => site.people.position).toBeGreaterThan(0)
    const known = site.people.position
    await site.take(eventNumbers(3, 3))
    site.engine.hindrance = () => {}
    const calls: [number, number][] = []
    await site.restart({
      personResolver: {
        processedUpTo: () => site.people.processedUpTo(),
        resolve: (events, upTo) => {
          calls.push([events.length, upTo])
          return site.people.resolve(events, upTo)
        },
      },
    })
    await site.allStored()

    expect(calls).toEqual([
      [3, known],
      [3, known + 1],
    ])
    expect(site.people.applied).toEqual(uuidsOf(eventNumbers(0, 6)))
  })
})

test('accepted is the sum of stored, deduplicated, quarantined and pending at every moment', async () => {
  const site = await aSite({ batchBytes: 3000 })
  const seen: ReturnType<Batches['counts']>[] = []
  let calls = 0
  site.engine.isPoison = ({ properties }) => Number(properties['n']) % 29 === 0
  site.engine.hindrance = (moment) => {
    seen.push(site.counts())
    if (moment !== 'question' && ++calls % 7 === 0) throw failing('unavailable')
  }
  const taken = Array.from({ length: 50 }, async (_, i) => {
    await site.take([...eventNumbers(i * 4, 4), eventNumber(i * 4)])
    seen.push(site.counts())
  })
  await Promise.all(taken)
  await site.allStored()
  seen.push(site.counts())

  expect(seen.filter((counts) => counts.accepted !== sumOf(counts))).toEqual([])
  expect(seen.every(({ pending }) => pending >= 0)).toBe(true)
  expect(site.counts()).toEqual({
    accepted: 250,
    stored: 193,
    deduplicated: 50,
    quarantined: 7,
    forgotten: 0,
    pending: 0,
  })
  expect(site.engine.rows).toHaveLength(193)
})
