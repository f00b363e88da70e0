import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { eventNumber } from '#test/deep/crashlab/events'
import { describeOnOwnPostgres } from '#test/outside/postgres'
import { aFolder } from '#test/product/fixture'
import { patienceMs } from '#test/running/patience'
import { randomBy } from '#bench/busy-site'
import type { Engine } from '#engine/engine'
import type { PreparedEvent } from '#events/event'
import { openStore } from '#store/open'
import type { Store } from '#store/store'
import { IdentityResolver } from './identity-resolver'
import { markMirrored, loadMirrorBatch } from './internal/stored-mirror'
import { personIdOf } from './person'
import { forgetPersons, personsOf } from './store'

// finding out who is who never asks the engine
const noEngine = undefined as unknown as Engine

const visitors = 60
const eventsOfFront = 250

/** Merges of two visitors each, which join three groups in the end. Each event sets a property of its own. */
function someMerges(seed: number): PreparedEvent[] {
  const random = randomBy(seed)
  const some = (most: number) => Math.floor(random() * most)
  return Array.from({ length: eventsOfFront }, (_, n) => {
    const group = some(3)
    const nameOf = () => `visitor ${group + 3 * some(visitors / 3)}`
    return eventNumber(seed * 10_000 + n, {
      distinctId: nameOf(),
      hasPerson: true,
      person: { set: { [`of ${seed} ${n}`]: 1 }, setOnce: {}, unset: [], add: {} },
      identity: some(4) === 0 ? { kind: 'merge', other: nameOf() } : undefined,
      groups: { company: `company ${some(5)}` },
      group: { type: 'company', key: `company ${some(5)}`, set: { [`of ${seed} ${n}`]: 1 } },
    })
  })
}

describeOnOwnPostgres('persons that several fronts write', (emptyDatabase) => {
  const open = async (url: string): Promise<Store> => {
    const store = await openStore({ folder: aFolder(), url })
    onTestFinished(() => store.close())
    return store
  }

  const frontOn = (store: Store, journal: string) =>
    new IdentityResolver({ store, engine: noEngine, journal, isOnlyWriter: false })

  /** Stores all events in batches of a few, each again until it is stored, as ingest does. Returns what went wrong. */
  async function run(store: Store, journal: string, events: readonly PreparedEvent[]): Promise<string[]> {
    const front = frontOn(store, journal)
    const troubles: string[] = []
    for (let from = 0; from < events.length;) {
      const upTo = Math.min(events.length, from + 1 + (from % 13))
      await front.resolve(events.slice(from, upTo), upTo).then(
        () => (from = upTo),
        (problem: unknown) => troubles.push(String(problem)),
      )
    }
    return troubles
  }

  /** The distinct ids of each person and the number of its properties, and that of each group. */
  async function outcomeOf(store: Store) {
    const ids = Array.from({ length: visitors }, (_, n) => `visitor ${n}`)
    const events = ids.map((distinctId, n) => eventNumber(n, { distinctId, hasPerson: false, groups: {} }))
    const persons = await frontOn(store, 'reader').resolve(events, 1)
    const stored = await personsOf(store, 1, [...new Set(persons)])
    const numbers = new Map(stored.map(({ id, properties }) => [id, Object.keys(properties).length]))
    const groups = await store
      .tables<{ groups: { key: string; properties: string } }>()
      .selectFrom('groups')
      .select(['key', 'properties'])
      .orderBy('key')
      .execute()
    const byPerson = Map.groupBy(ids, (id) => persons[ids.indexOf(id)])
    return {
      persons: [...byPerson].map(([person, own]) => ({
        ids: own,
        properties: person && numbers.get(person),
      })),
      groups: groups.map(({ key, properties }) => [key, Object.keys(JSON.parse(properties)).length]),
    }
  }

  test(
    'are the same as with one writer, in whatever order their merges come, and none waits in a circle',
    async () => {
      const batches = [1, 2, 3].map(someMerges)
      const alone = await open(await emptyDatabase())
      for (const [n, events] of batches.entries()) await run(alone, `journal ${n}`, events)

      const url = await emptyDatabase()
      const stores = await Promise.all(batches.map(() => open(url)))
      const [any] = stores
      if (!any) throw new Error('There is no store.')
      const ended = new AbortController()
      // each front also notes what the engine has, of all persons
      const marking = stores.map(async (store) => {
        while (!ended.signal.aborted) {
          const batch = await loadMirrorBatch(store)
          await store.transaction((transaction) => markMirrored(transaction, batch, store.form), 'unlocked')
          await pause(5)
        }
      })
      const troubles = await Promise.all(
        batches.map((events, n) => run(stores[n] ?? any, `journal ${n}`, events.toReversed())),
      )
      ended.abort()
      await Promise.all(marking)

      expect(troubles.flat()).toEqual([])
      expect(await outcomeOf(any)).toEqual(await outcomeOf(alone))
    },
    4 * patienceMs,
  )

  test('of one front do not hold up definitions, nor other persons, however long they take', async () => {
    const url = await emptyDatabase()
    const [frozen, other] = [await open(url), await open(url)]
    const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>()
    onTestFinished(() => thaw())
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const key = `1 ${personIdOf(1, 'ana')}`
    const holding = frozen.transaction(
      async () => {
        begin()
        await thawed
      },
      { persons: [key] },
    )
    await begun
    const of = (distinctId: string) => [
      eventNumber(distinctId.length, {
        distinctId,
        hasPerson: true,
        person: { set: { name: distinctId }, setOnce: {}, unset: [], add: {} },
      }),
    ]
    await other.transaction((transaction) => transaction.announce('flags'))
    await frontOn(other, 'other').resolve(of('benedict'), 1)
    const again = frontOn(other, 'third').resolve(of('ana'), 1)
    await expect(again).rejects.toMatchObject({ name: 'StoreBusyError' })
    const forgetting = other.transaction(
      (transaction) => forgetPersons(transaction, 1, [personIdOf(1, 'benedict')]),
      'every person',
    )
    thaw()
    await holding
    await forgetting
    await frontOn(other, 'third').resolve(of('ana'), 1)

    const left = await personsOf(
      other,
      1,
      ['ana', 'benedict'].map((id) => personIdOf(1, id)),
    )
    expect(left.map(({ properties }) => properties['name'])).toEqual(['ana'])
  })
})
