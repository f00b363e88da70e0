import { setTimeout as pause } from 'node:timers/promises'
import type { CohortRules } from './cohort-rules'
import { type CompiledFlags, compileFlags } from './compile'
import type { Flag } from './flag'
import { whyNotLocal } from './posthog/local'
import { noDefinitions, type ProjectDefinitions, projectWith } from './deciding/project-definitions'
import { type Loaded, Snapshot } from './snapshot'

export type { Loaded } from './snapshot'

export interface DefinitionsGround {
  /** Reads everything anew. Rejects where the store does not answer. */
  load(): Promise<Loaded>
  /** Hears the topic of every change: the store's own. Some are listened for. */
  onChange(listener: (topic: string) => void): () => void
  /** Where the last good ones are kept, by the process that owns the data folder; no other gives one. */
  snapshotFile: string | undefined
  /** Hears what went wrong where nobody waits for an answer. */
  fail(error: unknown): void
  /** After so long a store that did not answer is asked again. */
  retryMs?: number
  /** At the start, so long it may take before the snapshot stands in for it. */
  patienceMs?: number
}

/** Whatever is in the snapshot: it is as new as the flags, also in who may ask for them. */
const topics: ReadonlySet<string> = new Set(['flags', 'cohorts', 'projects', 'environments'])
const usualRetryMs = 1000
const usualPatienceMs = 3000

/** All flags of all projects in memory, compiled for each environment when first asked for. */
export class Definitions {
  private projects: ReadonlyMap<number, ProjectDefinitions> = new Map()
  private cameFrom: 'store' | 'snapshot' | 'nothing' = 'nothing'
  private readonly listeners = new Set<(projectId: number) => void>()
  private readonly snapshot: Snapshot | undefined
  private reading: Promise<void> | undefined
  private isStale = false
  private retry: NodeJS.Timeout | undefined
  private stopListening: (() => void) | undefined

  constructor(private readonly ground: DefinitionsGround) {
    const { snapshotFile } = ground
    this.snapshot = snapshotFile === undefined ? undefined : new Snapshot(snapshotFile)
  }

  /** Reads them from the store, or from the snapshot where the store does not answer. Call it once, before all others. */
  async open(): Promise<void> {
    this.stopListening = this.ground.onChange((topic) => {
      if (topics.has(topic)) void this.reload().catch((error: unknown) => this.ground.fail(error))
    })
    try {
      await Promise.race([this.reload(), this.patience()])
    } catch (error) {
      this.ground.fail(error)
    }
    if (this.cameFrom === 'nothing') await this.takeSnapshot()
  }

  private async patience(): Promise<void> {
    await pause(this.ground.patienceMs ?? usualPatienceMs, undefined, { ref: false })
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

  /** Why servers' SDKs ask about it each time; undefined where they decide by themselves. */
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

  /** The same for the same flags in every process and after a restart: an ETag's stem. */
  fingerprint(projectId: number): string {
    return this.of(projectId).fingerprint
  }

  /** Every project that has flags. */
  projectIds(): number[] {
    return [...this.projects.keys()]
  }

  /** Hears the project whose flags, or the cohorts they may name, are others now. */
  onChange(listener: (projectId: number) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** From where they are, for whoever asks how the house stands. */
  get origin(): 'store' | 'snapshot' | 'nothing' {
    return this.cameFrom
  }

  /** Reads everything anew; whoever asks while that is done waits for the reading after it. */
  async reload(): Promise<void> {
    this.isStale = true
    this.reading ??= this.readUntilFresh().finally(() => (this.reading = undefined))
    await this.reading
  }

  /** When every change that was announced until now is known here, or could not be read. */
  async caughtUp(): Promise<void> {
    await Promise.race([this.reading?.catch(() => {}), this.patience()])
  }

  private async readUntilFresh(): Promise<void> {
    try {
      while (this.isStale) {
        this.isStale = false
        const loaded = await this.ground.load()
        this.take(loaded, 'store')
        void this.snapshot?.write(loaded).catch((error: unknown) => this.ground.fail(error))
      }
    } catch (error) {
      this.tryAgainLater()
      throw error
    }
  }

  /** The word of a change comes once, so it must not be lost with an answer. */
  private tryAgainLater(): void {
    clearTimeout(this.retry)
    if (!this.stopListening) return
    this.retry = setTimeout(
      () => void this.reload().catch(() => {}),
      this.ground.retryMs ?? usualRetryMs,
    ).unref()
  }

  private async takeSnapshot(): Promise<void> {
    try {
      const found = await this.snapshot?.read()
      // meanwhile the store may have answered after all
      if (found && this.cameFrom === 'nothing') this.take(found, 'snapshot')
    } catch (error) {
      this.ground.fail(error)
    }
  }

  private take({ flags, cohorts }: Loaded, origin: 'store' | 'snapshot'): void {
    const before = this.projects
    const byProject = Map.groupBy(flags, ({ projectId }) => projectId)
    const projects = new Map<number, ProjectDefinitions>()
    for (const [projectId, own] of byProject) {
      const then = before.get(projectId)
      const now = projectWith(own, cohorts.get(projectId) ?? new Map(), then)
      projects.set(projectId, then?.fingerprint === now.fingerprint ? then : now)
    }
    this.projects = projects
    this.cameFrom = origin
    for (const projectId of new Set([...before.keys(), ...projects.keys()]))
      if (before.get(projectId) !== projects.get(projectId)) this.tell(projectId)
  }

  private tell(projectId: number): void {
    for (const listener of this.listeners) listener(projectId)
  }

  private of(projectId: number): ProjectDefinitions {
    return this.projects.get(projectId) ?? noDefinitions
  }

  async close(): Promise<void> {
    this.stopListening?.()
    this.stopListening = undefined
    clearTimeout(this.retry)
    this.listeners.clear()
    await Promise.race([this.reading?.catch(() => {}), this.patience()])
    await this.snapshot?.settled().catch(() => {})
  }
}

/** A name that nobody gave to an environment must not fill the memory. */
const mostEnvironments = 200
