import type { Engine } from '#engine/engine'
import { sql, strings, uint, uints, uuids } from '#engine/sql'
import type { Store } from '#store/store'
import { markSquashed, unsquashedOverrides, type VersionedOverride } from './store'

export interface OverrideSquasherDependencies {
  store: Store
  engine: Pick<Engine, 'query' | 'command'>
  /** How many events were taken so far, and how many of them have yet to reach the engine. */
  pipelineCounts: () => { accepted: number; pending: number }
  /** At most so many persons in one run: further ones wait for the next. */
  most?: number
}

const defaultMaxOverrides = 5000
/** One pass over all events, on a machine that has other things to do. */
const deadlineMs = 5 * 60_000

/**
 * Writes into the events what merges have said of their persons, and then forgets those overrides in the engine: few
 * rows have to be looked up where many were. To be run every few minutes. Ended anywhere, it is begun anew and finds what
 * was done already; until the end of a run, and after it, a question gets the same answer.
 */
export class OverrideSquasher {
  /** What the run before saw, by version, and how many events had been taken by then. */
  private previousRun: { versions: ReadonlyMap<string, number>; accepted: number } | undefined

  constructor(private readonly dependencies: OverrideSquasherDependencies) {}

  /** How many overrides are forgotten now. */
  async run(): Promise<number> {
    const { store, most = defaultMaxOverrides } = this.dependencies
    const squashable = this.squashableAmong(await unsquashedOverrides(store, most))
    if (squashable.length === 0 || !(await isIdle(this.dependencies.engine))) return 0
    for (const [projectId, overrides] of Map.groupBy(squashable, (override) => override.projectId))
      await this.squash(projectId, overrides)
    return squashable.length
  }

  /**
   * Those that were there in the run before already, if all events taken until then are stored by now: a row still on its
   * way could bring a person along that nothing corrects any more.
   */
  private squashableAmong(waiting: readonly VersionedOverride[]): VersionedOverride[] {
    const { accepted, pending } = this.dependencies.pipelineCounts()
    const before = this.previousRun
    const versions = new Map(waiting.map((override) => [keyOf(override), override.version]))
    if (before && accepted - pending < before.accepted) return []
    this.previousRun = { versions, accepted }
    return waiting.filter((override) => before?.versions.get(keyOf(override)) === override.version)
  }

  /** Corrected first: in between, events and overrides say the same. */
  private async squash(projectId: number, overrides: readonly VersionedOverride[]): Promise<void> {
    const { store, engine } = this.dependencies
    await engine.command(correctionStatement(projectId, overrides), { deadlineMs })
    await engine.command(deletionStatement(projectId, overrides), { deadlineMs })
    await store.transaction((transaction) => markSquashed(transaction, overrides))
  }
}

const keyOf = ({ projectId, from }: VersionedOverride): string => `${projectId} ${from}`

/** Whether no query is running that a pass over all events would slow down. The engine's own work has no user. */
async function isIdle(engine: Pick<Engine, 'query'>): Promise<boolean> {
  const others = await engine.query(
    sql`
      select 1
      from system.processes
      where query_id != queryID()
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

/** With all its versions of before, or an older one would come back; but not one that came meanwhile. */
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
