import type { Engine } from '#engine/engine'
import { sql, strings, uint, uints, uuids } from '#engine/sql'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { markSquashed, unsquashedOverrides, type VersionedOverride } from './internal/stored-mirror'

interface OverrideSquasherDependencies {
  store: Store
  engine: Pick<Engine, 'query' | 'command'>
  /** The number of events accepted so far, and of those not yet in the engine. */
  pipelineCounts: () => { accepted: number; pending: number }
  world: Pick<World, 'now'>
  /** The limit of persons in one run; further ones wait for the next. */
  most?: number
}

const defaultMaxOverrides = 5000
/** The deadline of one pass over all events, on a busy machine. */
const deadlineMs = 5 * 60_000
/** An engine that several fronts and many readers share is never idle. */
const longestWaitMs = 30 * 60_000

/**
 * Writes merged persons into the events and then deletes those overrides in the engine, so that queries look up fewer
 * rows. It runs every few minutes. An interrupted run is repeated safely, and queries return the same answer before,
 * during and after a run.
 */
export class OverrideSquasher {
  /** The overrides that the previous run saw, by version, and the number of events accepted by then. */
  private previousRun: { versions: ReadonlyMap<string, number>; accepted: number } | undefined
  /** Since when overrides wait for an idle engine. */
  private waitingSince: Date | undefined

  constructor(private readonly dependencies: OverrideSquasherDependencies) {}

  /** Returns how many overrides were deleted. */
  async run(): Promise<number> {
    const { store, most = defaultMaxOverrides } = this.dependencies
    const squashable = this.squashableAmong(await unsquashedOverrides(store, most))
    if (squashable.length === 0 || !(await this.isTime())) return 0
    this.waitingSince = undefined
    for (const [projectId, overrides] of Map.groupBy(squashable, (override) => override.projectId))
      await this.squash(projectId, overrides)
    return squashable.length
  }

  /**
   * Returns the overrides that the previous run saw, if all events accepted until then are stored by now: a row in
   * transit could still need its override.
   */
  private squashableAmong(waiting: readonly VersionedOverride[]): VersionedOverride[] {
    const { accepted, pending } = this.dependencies.pipelineCounts()
    const before = this.previousRun
    const versions = new Map(waiting.map((override) => [keyOf(override), override.version]))
    if (before && accepted - pending < before.accepted) return []
    this.previousRun = { versions, accepted }
    return waiting.filter((override) => before?.versions.get(keyOf(override)) === override.version)
  }

  /** Whether the engine is idle, or has not been at any look for long. */
  private async isTime(): Promise<boolean> {
    if (await isIdle(this.dependencies.engine)) return true
    const now = this.dependencies.world.now()
    this.waitingSince ??= now
    return now.getTime() - this.waitingSince.getTime() >= longestWaitMs
  }

  /** Corrects events first: in between, events and overrides agree. */
  private async squash(projectId: number, overrides: readonly VersionedOverride[]): Promise<void> {
    const { store, engine } = this.dependencies
    const limits = { deadlineMs, threads: 1 }
    await engine.command(correctionStatement(projectId, overrides), limits)
    await engine.command(deletionStatement(projectId, overrides), limits)
    await store.transaction((transaction) => markSquashed(transaction, overrides, store.form), 'unlocked')
  }
}

const keyOf = ({ projectId, from }: VersionedOverride): string => `${projectId} ${from}`

/**
 * Whether no query is running that a pass over all events would slow down. The engine's internal queries have no user.
 */
async function isIdle(engine: Pick<Engine, 'query'>): Promise<boolean> {
  const others = await engine.query(
    sql`
      select 1
      from system.processes
      where initial_query_id != initialQueryID()
        and user != ''
        and current_database = currentDatabase()
      limit 1`,
    { lane: 'ingest' },
  )
  return others.length === 0
}

const correctionStatement = (projectId: number, overrides: readonly VersionedOverride[]) => sql`
  update events
  set person_id = toUUID(transform(
    toString(person_id),
    ${strings(overrides.map(({ from }) => from))},
    ${strings(overrides.map(({ to }) => to))}
  ))
  where project_id = ${uint(projectId)}
    and person_id in ${uuids(overrides.map(({ from }) => from))}`

/** Deletes all earlier versions, so that none reappears, but not a version that was added since. */
const deletionStatement = (projectId: number, overrides: readonly VersionedOverride[]) => sql`
  delete from person_overrides
  where project_id = ${uint(projectId)}
    and from_person_id in ${uuids(overrides.map(({ from }) => from))}
    and version <= transform(
      toString(from_person_id),
      ${strings(overrides.map(({ from }) => from))},
      ${uints(overrides.map(({ version }) => version))},
      toUInt64(0)
    )`
