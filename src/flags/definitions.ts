import { setTimeout as pause } from 'node:timers/promises'
import { LiveCopy, listenByProject } from '#store/live-copy'
import type { CohortRules } from './internal/cohort-rules'
import { type CompiledFlags, compileFlags } from './compile'
import type { Flag } from './flag'
import { whyNotLocal } from './posthog/internal/local-evaluation'
import { type LoadedDefinitions, DefinitionsSnapshot } from './snapshot'
import { hash } from 'node:crypto'

export type { LoadedDefinitions } from './snapshot'

interface DefinitionsDependencies {
  /** Reads all definitions. Rejects if the store does not respond. */
  load(): Promise<LoadedDefinitions>
  /** Calls the listener with the topic of every change in the store. */
  onChange(listener: (topic: string) => void): () => void
  /** The file of the last good definitions, in the process that owns the data folder; undefined in others. */
  snapshotFile: string | undefined
  /** Receives errors of background work, which has no caller to throw to. */
  fail(error: unknown): void
  /** Delay before a failed read of the store is retried. */
  retryMs?: number
  /** The time that the start waits for the store before it uses the snapshot. */
  startWaitMs?: number
}

/**
 * Every topic that the snapshot contains. It includes keys and environments, so that a revoked key is as current as the
 * flags.
 */
const topics = ['flags', 'cohorts', 'projects', 'environments']
const usualStartWaitMs = 3000

interface DefinitionsState {
  projects: ReadonlyMap<number, ProjectDefinitions>
  origin: 'store' | 'snapshot' | 'nothing'
}

/** Keeps all flags of all projects in memory and compiles them for each environment on first use. */
export class FlagDefinitions {
  private readonly snapshot: DefinitionsSnapshot | undefined
  private readonly copy: LiveCopy<DefinitionsState>

  constructor(private readonly dependencies: DefinitionsDependencies) {
    const { snapshotFile, retryMs } = dependencies
    this.snapshot = snapshotFile === undefined ? undefined : new DefinitionsSnapshot(snapshotFile)
    this.copy = new LiveCopy<DefinitionsState>({
      store: dependencies,
      topics,
      initial: { projects: new Map(), origin: 'nothing' },
      read: ({ projects }) => this.read(projects),
      onTrouble: (error) => dependencies.fail(error),
      retryMs,
    })
  }

  /** Loads definitions from the store, or from the snapshot if the store does not respond. Call it once, first. */
  async open(): Promise<void> {
    try {
      await Promise.race([this.reload(), this.startWait()])
    } catch (error) {
      this.dependencies.fail(error)
    }
    if (this.origin === 'nothing') await this.takeSnapshot()
  }

  private async startWait(): Promise<void> {
    await pause(this.dependencies.startWaitMs ?? usualStartWaitMs, undefined, { ref: false })
  }

  flagsOf(projectId: number): readonly Flag[] {
    return this.of(projectId).flags
  }

  find(projectId: number, key: string): Flag | undefined {
    return this.of(projectId).byKey.get(key)
  }

  cohortsOf(projectId: number): CohortRules {
    return this.of(projectId).cohorts
  }

  /** Why SDKs on servers must request the flag each time; undefined if they evaluate it locally. */
  whyNotLocal(flag: Flag, environment: string): string | undefined {
    const { flags, cohorts } = this.of(flag.projectId)
    return whyNotLocal(flag, environment, flags, cohorts)
  }

  compiled(projectId: number, environment: string): CompiledFlags {
    const { compiled, flags, cohorts } = this.of(projectId)
    const known = compiled.get(environment)
    if (known) return known
    const made = compileFlags(flags, environment, cohorts)
    if (compiled.size < mostEnvironments) compiled.set(environment, made)
    return made
  }

  /** A hash that is equal for equal flags, in every process and after a restart. ETags contain it. */
  fingerprint(projectId: number): string {
    return this.of(projectId).fingerprint
  }

  /** The ids of projects with flags. */
  projectIds(): number[] {
    return [...this.copy.value.projects.keys()]
  }

  /** Calls the listener with the id of a project whose flags, or the cohorts they may name, have changed. */
  onChange(listener: (projectId: number) => void): () => void {
    return this.copy.onChange(listenByProject(({ projects }) => projects, listener))
  }

  /** The source of the current definitions, for the health report. */
  get origin(): DefinitionsState['origin'] {
    return this.copy.value.origin
  }

  get staleMs(): number {
    return this.copy.staleMs
  }

  /** Reads everything again. A call during a reload waits for the next one. */
  async reload(): Promise<void> {
    await this.copy.reload()
  }

  /** Resolves once every change announced until now is loaded, or failed to load. */
  async caughtUp(): Promise<void> {
    await Promise.race([this.copy.caughtUp(), this.startWait()])
  }

  private async read(before: DefinitionsState['projects']): Promise<DefinitionsState> {
    const loaded = await this.dependencies.load()
    void this.snapshot?.write(loaded).catch((error: unknown) => this.dependencies.fail(error))
    return { projects: projectsIn(loaded, before), origin: 'store' }
  }

  private async takeSnapshot(): Promise<void> {
    try {
      const found = await this.snapshot?.read()
      // the store may have responded in the meantime
      if (found && this.origin === 'nothing')
        this.copy.replace({ projects: projectsIn(found, new Map()), origin: 'snapshot' })
    } catch (error) {
      this.dependencies.fail(error)
    }
  }

  private of(projectId: number): ProjectDefinitions {
    return this.copy.value.projects.get(projectId) ?? noDefinitions
  }

  async close(): Promise<void> {
    await Promise.race([this.copy.close(), this.startWait()])
    await this.snapshot?.allWritten().catch(() => {})
  }
}

/** Limits the memory that requests with made-up environment names can take. */
const mostEnvironments = 200

/** A project whose definitions did not change keeps them, with what was compiled. */
function projectsIn(
  { flags, cohorts }: LoadedDefinitions,
  before: DefinitionsState['projects'],
): DefinitionsState['projects'] {
  const projects = new Map<number, ProjectDefinitions>()
  for (const [projectId, own] of Map.groupBy(flags, (flag) => flag.projectId)) {
    const then = before.get(projectId)
    const now = projectWith(own, cohorts.get(projectId) ?? new Map(), then)
    projects.set(projectId, then?.fingerprint === now.fingerprint ? then : now)
  }
  return projects
}

/** A project's definitions, and the flags compiled from them so far. */
interface ProjectDefinitions {
  flags: readonly Flag[]
  byKey: ReadonlyMap<string, Flag>
  cohorts: CohortRules
  /** A hash that is equal for equal flags and cohorts, in every process. */
  fingerprint: string
  digests: ReadonlyMap<string, string>
  /** Compiled flags by environment. */
  compiled: Map<string, CompiledFlags>
}

/** Keeps the objects of unchanged flags, and with them everything compiled from them. */
function projectWith(
  read: readonly Flag[],
  cohorts: CohortRules,
  before?: ProjectDefinitions,
): ProjectDefinitions {
  const digests = new Map(read.map((flag) => [flag.key, digestOf(flag)]))
  const flags = read.map((flag) =>
    before?.digests.get(flag.key) === digests.get(flag.key) ? (before?.byKey.get(flag.key) ?? flag) : flag,
  )
  return {
    flags,
    byKey: new Map(flags.map((flag) => [flag.key, flag])),
    cohorts,
    fingerprint: digestOf([[...digests.values()], [...cohorts]]),
    digests,
    compiled: new Map(),
  }
}

const digestOf = (value: unknown): string => hash('sha1', JSON.stringify(value), 'base64')

const noDefinitions: ProjectDefinitions = projectWith([], new Map())
