import type { Store } from '#store/store'
import type { World } from '#world/world'
import { addFlagRequestCounts, flagRequestCountsOf, forgetFlagRequestCountsBefore } from './store'
import { staleDays } from '../staleness'

/** A flag request by a client that sends no exposure event, such as OpenFeature's. PostHog's SDKs send events. */
interface CountedFlagRequest {
  projectId: number
  environment: string
  /** Undefined for a request of all flags, which does not show which of them the code uses. */
  key: string | undefined
  client: string
}

/** The number of such requests on one day, in UTC. */
export interface FlagRequestCount extends CountedFlagRequest {
  day: string
  times: number
  lastAt: Date
}

/** The usage by clients that send no events. */
export interface SilentClients {
  /** Clients by flag, the latest first. */
  byKey: ReadonlyMap<string, readonly SilentClient[]>
  /** The time of the last request for all flags. */
  lastForAll: Date | undefined
}

export interface SilentClient {
  client: string
  times: number
  lastAt: Date
}

/** Counts requests in memory and saves the counts every minute. */
export class FlagRequestCounts {
  private counted = new Map<string, FlagRequestCount>()

  constructor(private readonly dependencies: { store: Store; world: World }) {}

  note(request: CountedFlagRequest, at: Date): void {
    const day = dayOf(at)
    const name = `${request.projectId} ${request.environment} ${request.client} ${day} ${request.key ?? ''}`
    const known = this.counted.get(name)
    if (!known) this.counted.set(name, { ...request, day, times: 1, lastAt: at })
    else {
      known.times++
      known.lastAt = at
    }
  }

  /** Saves the counts; after a failure they are saved next time. */
  async keep(): Promise<void> {
    const counts = this.counted
    this.counted = new Map()
    const { store, world } = this.dependencies
    try {
      await store.transaction(async (transaction) => {
        await addFlagRequestCounts(transaction, [...counts.values()])
        await forgetFlagRequestCountsBefore(transaction, dayOf(daysBefore(world.now(), 2 * staleDays)))
      })
    } catch (problem) {
      this.takeBack(counts)
      throw problem
    }
  }

  /** Returns the usage in the last days, in one environment or in all. */
  async lately(projectId: number, days: number, environment?: string): Promise<SilentClients> {
    const { store, world } = this.dependencies
    const since = dayOf(daysBefore(world.now(), days))
    const counts = (await flagRequestCountsOf(store, projectId, since)).filter(
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

  private takeBack(unsaved: ReadonlyMap<string, FlagRequestCount>): void {
    for (const [name, count] of unsaved) {
      const newer = this.counted.get(name)
      this.counted.set(name, newer ? { ...newer, times: newer.times + count.times } : count)
    }
  }
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)
const daysBefore = (at: Date, days: number): Date => new Date(at.getTime() - days * 86_400_000)

function byClient(counts: readonly FlagRequestCount[]): SilentClient[] {
  const clients = [...Map.groupBy(counts, ({ client }) => client)].map(([client, ofClient]) => ({
    client,
    times: ofClient.reduce((sum, { times }) => sum + times, 0),
    lastAt: new Date(Math.max(...ofClient.map(({ lastAt }) => lastAt.getTime()))),
  }))
  return clients.toSorted((one, other) => other.lastAt.getTime() - one.lastAt.getTime())
}
