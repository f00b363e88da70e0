import { partOf } from '#collection/change-of'
import { isSameBut, recordChange } from '#collection/versions'
import type { Cohorts } from '#persons/cohorts/cohorts'
import type { Viewer } from '#projects/access'
import type { AuditAction } from '#projects/audit-actions'
import { type Outcome, failedOutcome } from '#projects/problems'
import type { Store, StoreTransaction, TableSource } from '#store/store'
import type { World } from '#world/world'
import type { FlagDefinitions } from '../definitions'
import type { Flag } from '../flag'
import { type FlagImportCandidate, holdoutsNamedIn, type FlagImportResult } from '../flag-import'
import type { Seal } from '../seal'
import { hasUnknownMask, withSecretsMasked, withSecretsSealed } from '../secret-values'
import { flagSchema } from '../flag-schema'
import { flagNamed, saveFlags } from '../store'
import { saveHoldout } from './stored-holdouts'
import {
  lostVariantObjection,
  problemFinderFor,
  type ProjectFlagContext,
  projectFlagContextOf,
} from './project-flag-context'

export interface FlagWriterDependencies {
  store: Store
  world: World
  seal: Seal
  cohorts: Pick<Cohorts, 'membership'>
  definitions: Pick<FlagDefinitions, 'caughtUp'>
  /** The names of a project's running experiments, by the key of their flag: experiments know flags, and not the other way round. */
  runningExperiments: (source: TableSource, projectId: number) => Promise<ReadonlyMap<string, string>>
}

export type FlagOutcome = Outcome<{ flag: Flag }>

/** The new version of a flag, and the previous one. */
export interface FlagWrite {
  action: Extract<AuditAction, `flag.${string}`>
  flag: Flag
  before?: Flag | undefined
  note?: string | undefined
}

/** Writes flags to the store: checks them against the others, seals their secrets and adds a version to the history. */
export class FlagWriter {
  constructor(private readonly dependencies: FlagWriterDependencies) {}

  /**
   * Runs changes one at a time, so that a change writes what it has read. Resolves once this process uses the new
   * version, because the author looks at its effect next.
   */
  async runChange<Done>(
    projectId: number,
    work: (transaction: StoreTransaction, context: ProjectFlagContext) => Promise<Outcome<Done>>,
  ): Promise<Outcome<Done>> {
    const { store, cohorts: known, runningExperiments } = this.dependencies
    const cohorts = new Set((await known.membership(projectId)).keys())
    const outcome = await store.transaction(async (transaction) => {
      const experiments = await runningExperiments(transaction, projectId)
      return work(transaction, await projectFlagContextOf(transaction, projectId, { cohorts, experiments }))
    })
    if (outcome.done) await this.dependencies.definitions.caughtUp()
    return outcome
  }

  async save(
    transaction: StoreTransaction,
    change: FlagWrite,
    context: ProjectFlagContext,
    viewer: Viewer,
  ): Promise<FlagOutcome> {
    const problems = problemFinderFor(context)(change.flag)
    if (problems.length > 0) return { done: false, problems }
    const lost = lostVariantObjection(change.flag, change.before, context)
    if (lost !== undefined) return failedOutcome(lost, 'variants')
    if (hasUnknownMask(change.flag, change.before)) return onlyAMask
    return await this.write(transaction, change, viewer)
  }

  /** Writes nothing, to the history or elsewhere, if the change changes nothing. */
  async write(transaction: StoreTransaction, write: FlagWrite, viewer: Viewer): Promise<FlagOutcome> {
    const { action, before, note: why } = write
    const flag = this.next(write)
    if (before && isSame(flag, before)) return { done: true, flag: withSecretsMasked(before) }
    await saveFlags(transaction, [{ flag, by: viewer.name, note: why }])
    const { projectId, key } = flag
    const audited = { before: before && auditedFields(before), after: auditedFields(flag) }
    const change = { action, topic: 'flags', subject: key, projectId, ...audited }
    await recordChange(transaction, change, viewer, this.dependencies.world.now())
    const saved = (await flagNamed(transaction, projectId, key)) ?? flag
    return { done: true, flag: withSecretsMasked(saved) }
  }

  async writeAll(
    transaction: StoreTransaction,
    accepted: readonly FlagImportCandidate[],
    context: ProjectFlagContext,
    viewer: Viewer,
  ): Promise<Pick<FlagImportResult, 'created' | 'changed'>> {
    const saved = accepted
      .map(({ flag, before }) => ({ flag: this.next({ flag, before }), before }))
      .filter(({ flag, before }) => !before || !isSame(flag, before))
    const created = saved.flatMap(({ flag, before }) => (before ? [] : [flag.key]))
    const changed = saved.flatMap(({ flag, before }) => (before ? [flag.key] : []))
    const [one] = saved
    if (!one) return { created, changed }
    const { projectId } = one.flag
    const flags = saved.map(({ flag }) => flag)
    await this.adoptHoldouts(transaction, flags, context, viewer)
    const changes = flags.map((flag) => ({ flag, by: viewer.name, note: 'Imported.' }))
    await saveFlags(transaction, changes)
    const subject = saved.length === 1 ? one.flag.key : `${saved.length.toLocaleString('en')} flags`
    const after = { created, changed }
    const change = { action: 'flag.import', topic: 'flags', subject, projectId, after } as const
    await recordChange(transaction, change, viewer, this.dependencies.world.now())
    return { created, changed }
  }

  private next({ flag, before }: Pick<FlagWrite, 'flag' | 'before'>): Flag {
    const version = (before?.version ?? 0) + 1
    const sealed = withSecretsSealed(flag, before, this.dependencies.seal)
    return { ...sealed, version, changedAt: this.dependencies.world.now() }
  }

  /** PostHog's flags contain the sizes of their holdouts; ours only refer to them. */
  private async adoptHoldouts(
    transaction: StoreTransaction,
    flags: readonly Flag[],
    { holdouts }: ProjectFlagContext,
    viewer: Viewer,
  ): Promise<void> {
    for (const [id, { projectId, percentage }] of holdoutsNamedIn(flags)) {
      if (holdouts.has(id)) continue
      const columns = {
        name: `Holdout ${id}`,
        createdBy: viewer.name,
        createdAt: this.dependencies.world.now(),
      }
      await saveHoldout(transaction, { id, projectId, percentage, ...columns })
    }
  }
}

const onlyAMask = failedOutcome(
  'Give the secret value itself: what is shown of it is only a mask.',
  'payloads',
)

const isSame = (one: Flag, other: Flag): boolean => isSameBut(['version', 'changedAt'], one, other)

/** The fields of a flag in the audit log. */
const auditedFields = (flag: Flag) => partOf(auditedFlag, withSecretsMasked(flag))

const auditedFlag = flagSchema.omit({
  id: true,
  projectId: true,
  createdBy: true,
  createdAt: true,
  changedAt: true,
})
