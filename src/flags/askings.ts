import type { Store } from '../store/store'
import type { World } from '../world/world'
import { addAskings, askingsOf, forgetAskingsBefore } from './askings/store'
import { staleDays } from './staleness'

/** Somebody asked for a flag and tells nobody of it, as OpenFeature's clients do; SDKs of PostHog send events. */
export interface Asking {
  projectId: number
  environment: string
  /** Undefined where all flags were asked for at once, and nobody knows which of them matters to the code. */
  key: string | undefined
  client: string
}

/** How often that was on one day, in UTC. */
export interface AskingCount extends Asking {
  day: string
  times: number
  lastAt: Date
}

/** What is known of those who ask and do not tell. */
export interface Askers {
  /** By flag and client, the latest first. */
  byKey: ReadonlyMap<string, readonly SilentAsker[]>
  /** When all flags were asked for at once the last time. */
  lastForAll: Date | undefined
}

export interface SilentAsker {
  client: string
  times: number
  lastAt: Date
}

/** Counted in memory while decisions are made, and kept every minute. */
export class Askings {
  private counted = new Map<string, AskingCount>()

  constructor(private readonly ground: { store: Store; world: World }) {}

  note(asking: Asking, at: Date): void {
    const day = dayOf(at)
    const name = `${asking.projectId} ${asking.environment} ${asking.client} ${day} ${asking.key ?? ''}`
    const known = this.counted.get(name)
    if (!known) this.counted.set(name, { ...asking, day, times: 1, lastAt: at })
    else {
      known.times++
      known.lastAt = at
    }
  }

  /** What could not be kept is kept the next time. */
  async keep(): Promise<void> {
    const news = this.counted
    this.counted = new Map()
    const { store, world } = this.ground
    try {
      await store.transaction(async (transaction) => {
        await addAskings(transaction, [...news.values()])
        await forgetAskingsBefore(transaction, dayOf(daysBefore(world.now(), 2 * staleDays)))
      })
    } catch (problem) {
      this.takeBack(news)
      throw problem
    }
  }

  /** In the last days; in all environments, where none is named. */
  async lately(projectId: number, days: number, environment?: string): Promise<Askers> {
    const { store, world } = this.ground
    const since = dayOf(daysBefore(world.now(), days))
    const counts = (await askingsOf(store, projectId, since)).filter(
      (one) => environment === undefined || one.environment === environment,
    )
    const named = Map.groupBy(counts, ({ key }) => key)
    const forAll = named.get(undefined)?.map(({ lastAt }) => lastAt.getTime()) ?? []
    return {
      byKey: new Map(
        [...named].flatMap(([key, ofKey]) => (key === undefined ? [] : [[key, byClient(ofKey)] as const])),
      ),
      lastForAll: forAll.length > 0 ? new Date(Math.max(...forAll)) : undefined,
    }
  }

  private takeBack(lost: ReadonlyMap<string, AskingCount>): void {
    for (const [name, count] of lost) {
      const newer = this.counted.get(name)
      this.counted.set(name, newer ? { ...newer, times: newer.times + count.times } : count)
    }
  }
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)
const daysBefore = (at: Date, days: number): Date => new Date(at.getTime() - days * 86_400_000)

function byClient(counts: readonly AskingCount[]): SilentAsker[] {
  const clients = [...Map.groupBy(counts, ({ client }) => client)].map(([client, ofClient]) => ({
    client,
    times: ofClient.reduce((sum, { times }) => sum + times, 0),
    lastAt: new Date(Math.max(...ofClient.map(({ lastAt }) => lastAt.getTime()))),
  }))
  return clients.toSorted((one, other) => other.lastAt.getTime() - one.lastAt.getTime())
}
