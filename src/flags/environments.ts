import { z } from 'zod'
import { requireEvery, requireRecentPassword, requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import type { AuditAction } from '#projects/audit-actions'
import { type Outcome, parseInput, failedOutcome } from '#projects/problems'
import type { Projects } from '#projects/projects'
import { newWriteKey } from '#projects/secrets'
import { LiveCopy } from '#store/live-copy'
import { isUniqueViolation, type Store, type StoreTransaction, type TableSource } from '#store/store'
import type { World } from '#world/world'
import { type FlagEnvironment, type Flag, mainEnvironment } from './flag'
import { flagLimits } from './flag-schema'
import {
  environmentsOf,
  everyEnvironment,
  flagsOf,
  forgetEnvironment,
  saveEnvironment,
  saveFlags,
} from './store'

interface EnvironmentsDependencies {
  store: Store
  world: World
  projects: Pick<Projects, 'numbered' | 'named'>
  onTrouble?: (problem: unknown) => void
}

export const newEnvironment = z.strictObject({
  name: z
    .string({ error: 'Give the environment a name.' })
    .trim()
    .regex(
      /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/,
      'Use 1 to 40 lower-case letters, digits and dashes; begin and end with a letter or digit.',
    )
    .refine((name) => name !== mainEnvironment, {
      error: `"${mainEnvironment}" is there already: its write key is the project’s own.`,
    }),
  /** A key that SDKs in use send already; otherwise one is created. */
  writeKey: z
    .string({ error: 'Give the write key as text.' })
    .regex(/^[\w.:-]{8,100}$/, 'Use 8 to 100 letters, digits, dots, colons, dashes and underscores.')
    .optional(),
})

/** The environments of projects. All are in memory, because SDKs name one by its key in every request. */
export class Environments {
  private readonly copy: LiveCopy<EnvironmentFinder>

  private constructor(private readonly dependencies: EnvironmentsDependencies) {
    const { store, projects } = dependencies
    this.copy = new LiveCopy<EnvironmentFinder>({
      ...dependencies,
      topics: ['environments'],
      initial: () => undefined,
      read: async () => finderAmong(await everyEnvironment(store), projects),
    })
  }

  static async open(dependencies: EnvironmentsDependencies): Promise<Environments> {
    const environments = new Environments(dependencies)
    await environments.copy.reload()
    return environments
  }

  /** Returns the environments, the main one first. */
  async list(projectId: number, viewer: Viewer): Promise<FlagEnvironment[]> {
    requireRight('project:read', projectId, viewer)
    const writeKey = this.dependencies.projects.numbered(projectId)?.writeKey ?? ''
    const main = { projectId, name: mainEnvironment, writeKey }
    return [main, ...(await environmentsOf(this.dependencies.store, projectId))]
  }

  /**
   * Finds an environment by its write key. Returns undefined for the main environment's key, which is the project's
   * own.
   */
  environmentNamed(writeKey: string): FlagEnvironment | undefined {
    return this.copy.value(writeKey)
  }

  get staleMs(): number {
    return this.copy.staleMs
  }

  async close(): Promise<void> {
    await this.copy.close()
  }

  async create(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ environment: FlagEnvironment }>> {
    requireRight('flags:write', projectId, viewer)
    const parsed = parseInput(newEnvironment, input)
    if (!parsed.done) return parsed
    const { name, writeKey = newWriteKey(this.dependencies.world) } = parsed.value
    const environment = { projectId, name, writeKey }
    return await this.runChange(async (transaction) => {
      const objection = await this.objectionTo(environment, transaction)
      if (objection) return objection
      await this.save(transaction, 'environment.create', environment, viewer)
      return { done: true, environment }
    })
  }

  async renewKey(
    projectId: number,
    name: string,
    viewer: Viewer,
  ): Promise<Outcome<{ environment: FlagEnvironment }>> {
    requireRight('keys:write', projectId, viewer)
    requireRecentPassword(viewer, this.dependencies.world.now())
    return await this.runChange(async (transaction) => {
      const before = await named(transaction, projectId, name)
      if (!before) return missing(name)
      const environment = { ...before, writeKey: newWriteKey(this.dependencies.world) }
      await this.save(transaction, 'environment.renew', environment, viewer, before)
      return { done: true, environment }
    })
  }

  /** Also removes the flags' settings in that environment; each flag's history keeps them. */
  async remove(projectId: number, name: string, viewer: Viewer): Promise<Outcome<{ flags: number }>> {
    requireEvery(['keys:write', 'flags:write'], projectId, viewer)
    return await this.runChange(async (transaction) => {
      const before = await named(transaction, projectId, name)
      if (!before) return missing(name)
      const set = (await flagsOf(transaction, projectId)).filter(({ environments }) => name in environments)
      const note = `The environment “${name}” was removed.`
      const at = this.dependencies.world.now()
      const changes = set.map((flag) => ({ flag: withoutSetting(flag, name, at), by: viewer.name, note }))
      await saveFlags(transaction, changes)
      await forgetEnvironment(transaction, before)
      await transaction.announce('environments')
      await transaction.announce('flags')
      const audited = {
        action: 'environment.remove',
        subject: name,
        projectId,
        before: auditedFields(before),
      } as const
      await recordAudit(transaction, audited, viewer, at)
      return { done: true, flags: set.length }
    })
  }

  private async objectionTo({ projectId, name, writeKey }: FlagEnvironment, transaction: StoreTransaction) {
    const all = await everyEnvironment(transaction)
    const ofProject = all.filter((one) => one.projectId === projectId)
    if (ofProject.some((one) => one.name === name))
      return failedOutcome(`There is an environment “${name}” already. Choose another name.`, 'name')
    if (ofProject.length + 1 >= flagLimits.environments)
      return failedOutcome(`A project has at most ${flagLimits.environments} environments. Remove one first.`)
    const isKnown = all.some((one) => one.writeKey === writeKey) || this.dependencies.projects.named(writeKey)
    return isKnown ? keyTaken : undefined
  }

  private async save(
    transaction: StoreTransaction,
    action: Extract<AuditAction, `environment.${string}`>,
    environment: FlagEnvironment,
    viewer: Viewer,
    before?: FlagEnvironment,
  ): Promise<void> {
    const { projectId, name } = environment
    const now = this.dependencies.world.now()
    await saveEnvironment(transaction, environment, now)
    await transaction.announce('environments')
    const audited = { action, subject: name, projectId, after: auditedFields(environment) }
    await recordAudit(
      transaction,
      before ? { ...audited, before: auditedFields(before) } : audited,
      viewer,
      now,
    )
  }

  /** Resolves once this process has loaded the change, so that a new key works at once. */
  private async runChange<Done>(
    work: (transaction: StoreTransaction) => Promise<Outcome<Done>>,
  ): Promise<Outcome<Done>> {
    try {
      const outcome = await this.dependencies.store.transaction(work)
      await this.copy.reload()
      return outcome
    } catch (problem) {
      if (isUniqueViolation(problem)) return keyTaken
      throw problem
    }
  }
}

type EnvironmentFinder = Environments['environmentNamed']

/** Finds projects by write key. The key of an archived project is closed. */
export function finderAmong(
  all: readonly FlagEnvironment[],
  projects: Pick<Projects, 'numbered'>,
): EnvironmentFinder {
  const byKey = new Map(all.map((environment) => [environment.writeKey, environment]))
  return (writeKey) => {
    const environment = byKey.get(writeKey)
    const project = environment && projects.numbered(environment.projectId)
    return project && !project.archivedAt ? environment : undefined
  }
}

/** Returns the environments' keys, which projects must not use as names. */
export async function environmentKeys(store: TableSource): Promise<ReadonlySet<string>> {
  const all = await everyEnvironment(store)
  return new Set(all.map(({ writeKey }) => writeKey))
}

async function named(
  store: TableSource,
  projectId: number,
  name: string,
): Promise<FlagEnvironment | undefined> {
  const all = await environmentsOf(store, projectId)
  return all.find((one) => one.name === name)
}

const missing = (name: string) =>
  failedOutcome(
    name === mainEnvironment
      ? `“${mainEnvironment}” is the project itself: its key is renewed in the project’s settings, and it stays.`
      : `There is no environment “${name}” in this project.`,
  )

const keyTaken = failedOutcome('A project or an environment is known by this write key already.', 'writeKey')

const auditedFields = ({ name, writeKey }: FlagEnvironment) => ({ name, writeKey })

function withoutSetting(flag: Flag, name: string, at: Date): Flag {
  const { [name]: _dropped, ...environments } = flag.environments
  return { ...flag, environments, version: flag.version + 1, changedAt: at }
}
