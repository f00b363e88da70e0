import type { Engine } from '#engine/engine'
import { sql, strings, uint } from '#engine/sql'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { mirrorToEngine } from '../mirror-to-engine'
import { distinctIdClaims } from '../store'
import type { PersonSplit } from './splits'
import { everySplit, forgetSplit } from './store'

interface SplitApplierDependencies {
  store: Store
  engine: Engine
  world: World
  /** The number of events accepted so far, and of those not yet in the engine. */
  pipelineCounts: () => { accepted: number; pending: number }
}

/** The topic at which every front forgets which person a distinct id belongs to. */
export const identitiesChanged = 'identities'

/** The deadline of one pass over all events, on a busy machine. */
const deadlineMs = 5 * 60_000
/**
 * The time for which events are corrected again: other fronts may keep the earlier person in memory for a minute, and
 * one of them may be writing earlier merges into the events for some minutes.
 */
const settledAfterMs = 10 * 60_000

/**
 * Gives the events of distinct ids that were split off to their own person. A pass changes nothing that is right
 * already, so an interrupted one is repeated safely, also after a restart or a restore.
 */
export class SplitApplier {
  /** The splits that the previous run corrected, and the number of events accepted by then. */
  private previousRun: { corrected: ReadonlySet<string>; accepted: number } | undefined

  constructor(private readonly dependencies: SplitApplierDependencies) {}

  /** Returns how many splits are finished. */
  async run(): Promise<number> {
    const { store, engine, pipelineCounts } = this.dependencies
    const splits = await this.valid(await everySplit(store))
    if (splits.length === 0) return 0
    await store.transaction((transaction) => transaction.announce(identitiesChanged))
    await mirrorToEngine(store, engine)
    const { accepted, pending } = pipelineCounts()
    for (const [projectId, own] of Map.groupBy(splits, (split) => split.projectId))
      await engine.command(correctionStatement(projectId, own), { deadlineMs })
    const before = this.previousRun
    this.previousRun = { corrected: new Set(splits.map(keyOf)), accepted }
    if (!before || accepted - pending < before.accepted) return 0
    const finished = splits.filter((split) => before.corrected.has(keyOf(split)) && this.isSettled(split))
    for (const split of finished) await forgetSplit(store, split)
    return finished.length
  }

  /** A distinct id that was merged again since belongs to that person, and its split is forgotten. */
  private async valid(splits: readonly PersonSplit[]): Promise<PersonSplit[]> {
    const { store } = this.dependencies
    const valid: PersonSplit[] = []
    for (const split of splits) {
      const [claim] = await distinctIdClaims(store, split.projectId, [split.distinctId])
      if (claim?.personId === split.to) valid.push(split)
      else await forgetSplit(store, split)
    }
    return valid
  }

  private isSettled({ askedAt }: PersonSplit): boolean {
    return this.dependencies.world.now().getTime() - askedAt.getTime() >= settledAfterMs
  }
}

const keyOf = ({ projectId, distinctId, askedAt }: PersonSplit): string =>
  `${projectId} ${askedAt.toISOString()} ${distinctId}`

function correctionStatement(projectId: number, splits: readonly PersonSplit[]) {
  const own = sql`toUUID(transform(
    distinct_id,
    ${strings(splits.map(({ distinctId }) => distinctId))},
    ${strings(splits.map(({ to }) => to))},
    toString(person_id)
  ))`
  return sql`
    update events
    set person_id = ${own}
    where project_id = ${uint(projectId)}
      and distinct_id in ${strings(splits.map(({ distinctId }) => distinctId))}
      and person_id != ${own}`
}
