import { z } from 'zod'
import { earlierVersion, refuseOutdated } from '#collection/versions'
import { requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { type FailedOutcome, failedOutcome, type Outcome, parseInput } from '#projects/problems'
import type { StoreTransaction } from '#store/store'
import type { FlagDecider } from './flag-decider'
import type { Explanation } from './explain'
import { explainInput } from './explain-input'
import {
  type ConditionSet,
  type EditableFlag,
  emptySetting,
  type Flag,
  mainEnvironment,
  type FlagSetting,
} from './flag'
import { changedFlag, flagChange, newFlag, type NewFlag, tooManyFlags } from './flag-input'
import { editableFlag, flagLimits } from './flag-schema'
import type { FlagVersion } from './history'
import {
  type FlagImportCandidate,
  type FlagImportResult,
  readPosthogFlags,
  remarksOn,
  sortCandidates,
} from './flag-import'
import {
  type FlagOutcome,
  FlagWriter,
  type FlagWriterDependencies,
  type FlagWrite,
} from './internal/flag-writer'
import {
  secretValues,
  type SecretValues,
  withoutSecrets,
  withSecretsMasked,
  withSecretsOpened,
} from './secret-values'
import { flagNamed, flagsOf, nextFlagId, versionsOf } from './store'
import { key as flagKey } from './internal/field-schemas'
import {
  dependentsOn,
  experimentObjection,
  liveFlagsIn,
  type ProjectFlagContext,
} from './internal/project-flag-context'
import { changeFrom, posthogFlagRefusal } from './posthog/internal/flag-change'

/** A client that requested a flag recently. */
export interface FlagClient {
  /** "posthog-node" */
  client: string
  times: number
}

interface FlagsDependencies extends FlagWriterDependencies {
  decider: Pick<FlagDecider, 'explain'>
  /** Clients that requested a flag in the last week; undefined while the query fails. */
  recentClientsOf: (projectId: number, key: string) => Promise<readonly FlagClient[] | undefined>
}

/** Writes what belongs to a change of a flag, in the transaction that has written the flag. */
type Alongside = (transaction: StoreTransaction, flag: Flag) => Promise<Outcome>

type FlagEdit = Outcome<{ wanted: FlagWrite }> | Promise<Outcome<{ wanted: FlagWrite }>>

const missing = failedOutcome('There is no such flag in this project.')
const ofSurvey = failedOutcome('The flag belongs to a survey. Change the survey instead.')
const archived = failedOutcome('The flag is archived. Restore it first.')

const note = z
  .string({ error: 'Write the note as text.' })
  .max(500, 'Use at most 500 characters for the note.')
  .optional()
const noteInput = z.looseObject({ note }, { error: 'Say what is to change.' })

const turnInput = z.strictObject({
  environment: z.string({ error: 'Name the environment.' }).default(mainEnvironment),
  isOn: z.boolean({ error: 'Say true or false.' }),
  note,
})

export const flagCopy = z.strictObject({ key: flagKey }, { error: 'Name the key of the copy.' })

export const settingCopy = z.strictObject({
  from: z.string({ error: 'Name the environment to copy from.' }),
  to: z.string({ error: 'Name the environment to copy to.' }),
  /** The version that the copy is based on. The copy is refused if a newer one exists. */
  version: z.number().int().optional(),
})

/** The flags of a project. `FlagDecider` decides them. */
export class Flags {
  /** A flag in which nothing was set yet. */
  readonly blank: EditableFlag = editableFlag.parse({})
  private readonly writer: FlagWriter

  constructor(private readonly dependencies: FlagsDependencies) {
    this.writer = new FlagWriter(dependencies)
  }

  /** Returns flags by key, archived ones included. Secret values are masked, here and everywhere except in `reveal`. */
  async list(projectId: number, viewer: Viewer): Promise<Flag[]> {
    requireRight('project:read', projectId, viewer)
    const all = await flagsOf(this.dependencies.store, projectId)
    return all.filter(({ keptBySurvey }) => keptBySurvey === undefined).map(withSecretsMasked)
  }

  async find(projectId: number, key: string, viewer: Viewer): Promise<Flag | undefined> {
    requireRight('project:read', projectId, viewer)
    const flag = await flagNamed(this.dependencies.store, projectId, key)
    return flag && flag.keptBySurvey === undefined ? withSecretsMasked(flag) : undefined
  }

  /**
   * Creates a flag. `alongside` writes what needs the flag in the same transaction; if it refuses, the flag is not kept
   * either.
   */
  async create(
    projectId: number,
    input: unknown,
    viewer: Viewer,
    alongside?: Alongside,
  ): Promise<FlagOutcome> {
    requireRight('flags:write', projectId, viewer)
    return await this.changeWith(projectId, alongside, (transaction, context) =>
      this.insert(transaction, context, { projectId, input, viewer }),
    )
  }

  /** Fields that are absent stay unchanged. A `version` other than the latest is refused. */
  async change(projectId: number, key: string, input: unknown, viewer: Viewer): Promise<FlagOutcome> {
    requireRight('flags:write', projectId, viewer)
    return await this.editing(projectId, key, viewer, async (before, _context, transaction) => {
      const read = posthogFlagRefusal(input) ?? parseInput(noteInput, input)
      if (!read.done) return read
      const { note: why, ...changes } = read.value
      const change = parseInput(flagChange, changes)
      if (!change.done) return change
      const outdated = await refuseOutdatedFlag(transaction, before, change.value.version)
      if (outdated) return outdated
      const flag = changedFlag(before, change.value)
      if (flag.isSecret !== before.isSecret) return secretFromTheStart
      return { done: true, wanted: { action: 'flag.change', flag, note: why } }
    })
  }

  async turn(projectId: number, key: string, input: unknown, viewer: Viewer): Promise<FlagOutcome> {
    requireRight('flags:write', projectId, viewer)
    const parsed = parseInput(turnInput, input)
    if (!parsed.done) return parsed
    const { environment, isOn, note: why } = parsed.value
    return await this.editing(projectId, key, viewer, (before) => {
      const setting = { ...(settingOf(before, environment) ?? forEverybody), isOn }
      const flag = { ...before, environments: { ...before.environments, [environment]: setting } }
      return { done: true, wanted: { action: 'flag.turn', flag, note: why } }
    })
  }

  /**
   * Creates a flag with everything of another one except its state: the copy is off in every environment. It has no
   * slice of a layer, because the original's is taken.
   */
  async duplicate(projectId: number, key: string, input: unknown, viewer: Viewer): Promise<FlagOutcome> {
    requireRight('flags:write', projectId, viewer)
    const parsed = parseInput(flagCopy, input)
    if (!parsed.done) return parsed
    return await this.writer.runChange(projectId, async (transaction, context) => {
      const original = context.flags.get(key)
      if (!original) return missing
      if (original.keptBySurvey !== undefined) return ofSurvey
      if (original.archivedAt) return archived
      // a secret value is sealed for the key of its flag
      const opened = withSecretsOpened(original, this.dependencies.seal)
      if (!opened) return sealedElsewhere
      const refused = refusalOfNew(parsed.value.key, context)
      if (refused) return refused
      const copy = turnedOff(opened, parsed.value.key)
      const flag = this.made(projectId, copy, await nextFlagId(transaction), viewer)
      const wanted = { action: 'flag.create', flag, note: `Copy of ${key}.` } as const
      return await this.writer.save(transaction, wanted, context, viewer)
    })
  }

  /** Replaces a flag's setting in an environment by that of another: state, rules, holdout, slice and payloads. */
  async copySetting(projectId: number, key: string, input: unknown, viewer: Viewer): Promise<FlagOutcome> {
    requireRight('flags:write', projectId, viewer)
    const parsed = parseInput(settingCopy, input)
    if (!parsed.done) return parsed
    return await this.editing(projectId, key, viewer, async (before, context, transaction) => {
      const { from, to, version } = parsed.value
      const outdated = await refuseOutdatedFlag(transaction, before, version)
      if (outdated) return outdated
      if (!context.environments.has(from)) return noEnvironment(from, 'from')
      if (from === to) return failedOutcome('Choose another environment to copy to.', 'to')
      const setting = settingOf(before, from) ?? emptySetting
      const flag = { ...before, environments: { ...before.environments, [to]: setting } }
      return { done: true, wanted: { action: 'flag.change', flag, note: `Copied from ${from} to ${to}.` } }
    })
  }

  /**
   * Removes a flag from every response. `restore` undoes it. Refused while clients still request the flag, unless
   * `anyway` is set.
   */
  async archive(
    projectId: number,
    key: string,
    viewer: Viewer,
    { anyway = false, version }: { anyway?: boolean | undefined; version?: number | undefined } = {},
  ): Promise<FlagOutcome> {
    requireRight('flags:write', projectId, viewer)
    const clients = anyway ? [] : await this.dependencies.recentClientsOf(projectId, key)
    return await this.writer.runChange(projectId, async (transaction, context) => {
      const before = context.flags.get(key)
      if (!before) return missing
      if (before.keptBySurvey !== undefined) return ofSurvey
      if (before.archivedAt) return failedOutcome('The flag is archived already.')
      const outdated = await refuseOutdatedFlag(transaction, before, version)
      if (outdated) return outdated
      const dependents = dependentsOn(key, context)
      if (dependents.length > 0) return neededBy(dependents)
      const compared = experimentObjection(key, context)
      if (compared !== undefined) return failedOutcome(compared)
      if (!clients) return perhapsRequested
      if (clients.length > 0) return stillRequestedBy(clients)
      const flag = { ...before, archivedAt: this.dependencies.world.now() }
      return await this.writer.write(transaction, { action: 'flag.archive', flag, before }, viewer)
    })
  }

  async restore(projectId: number, key: string, viewer: Viewer): Promise<FlagOutcome> {
    requireRight('flags:write', projectId, viewer)
    return await this.writer.runChange(projectId, async (transaction, context) => {
      const before = context.flags.get(key)
      if (!before) return missing
      if (before.keptBySurvey !== undefined) return ofSurvey
      if (!before.archivedAt) return failedOutcome('The flag is not archived.')
      if (liveFlagsIn(context).length >= flagLimits.flags) return failedOutcome(tooManyFlags)
      const flag = { ...before, archivedAt: undefined }
      return await this.writer.save(transaction, { action: 'flag.restore', flag, before }, context, viewer)
    })
  }

  /** Returns the versions, the latest first; none if the flag does not exist. */
  async history(projectId: number, key: string, viewer: Viewer): Promise<FlagVersion[]> {
    requireRight('project:read', projectId, viewer)
    const flag = await flagNamed(this.dependencies.store, projectId, key)
    const versions = flag ? await versionsOf(this.dependencies.store, flag) : []
    return versions.map((one) => ({ ...one, flag: withSecretsMasked(one.flag) }))
  }

  /**
   * Restores an earlier version as a new one; the versions in between stay in the history. Whether the flag has an
   * experiment is no matter of its versions. `alongside` is as for `create`.
   */
  async revert(
    projectId: number,
    key: string,
    version: number,
    viewer: Viewer,
    { hasExperiment, alongside }: { hasExperiment?: boolean; alongside?: Alongside } = {},
  ): Promise<FlagOutcome> {
    requireRight('flags:write', projectId, viewer)
    return await this.changeWith(projectId, alongside, async (transaction, context) => {
      const before = context.flags.get(key)
      if (!before) return missing
      if (before.keptBySurvey !== undefined) return ofSurvey
      if (before.archivedAt) return archived
      const earlier = earlierVersion(await versionsOf(transaction, before), version, 'flag')
      if (!earlier.done) return earlier
      const flag = {
        ...withoutGoneEnvironments(earlier.found.flag, context),
        hasExperiment: hasExperiment ?? before.hasExperiment,
        archivedAt: undefined,
      }
      const wanted = { action: 'flag.revert', flag, before, note: earlier.note } as const
      return await this.writer.save(transaction, wanted, context, viewer)
    })
  }

  /**
   * Imports one flag, a list of flags, or a response of PostHog's API. Returns a reason for each flag that cannot be
   * imported.
   */
  async importFrom(
    projectId: number,
    json: unknown,
    viewer: Viewer,
    { environment = mainEnvironment }: { environment?: string | undefined } = {},
  ): Promise<Outcome<FlagImportResult>> {
    requireRight('flags:write', projectId, viewer)
    const read = readPosthogFlags(json, environment)
    if (!read.done) return read
    return await this.writer.runChange(projectId, async (transaction, context) => {
      const first = await nextFlagId(transaction)
      const candidates = read.flags.map((imports, place): FlagImportCandidate => {
        const before = context.flags.get(imports.flag.key)
        if (!before) return { flag: this.made(projectId, imports.flag, first + place, viewer), before }
        return { flag: changedFlag(before, changeFrom(imports, before, environment)), before }
      })
      const own = candidates.filter(({ before }) => before?.keptBySurvey === undefined)
      const kept = candidates.filter(({ before }) => before?.keptBySurvey !== undefined)
      const { accepted, refused } = sortCandidates(own, context)
      const imported = await this.writer.writeAll(transaction, accepted, context, viewer)
      return {
        done: true,
        ...imported,
        remarks: remarksOn(
          accepted.map(({ flag }) => flag),
          read.remarks,
        ),
        refused: [
          ...read.refused,
          ...refused,
          ...kept.map(({ flag: { key } }) => ({ key, problems: ofSurvey.problems })),
        ],
      }
    })
  }

  /** Explains the value that a visitor would get now. */
  async explain(
    projectId: number,
    key: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ explanation: Explanation }>> {
    // the explanation contains properties of a person
    requireRight('events:read', projectId, viewer)
    const parsed = parseInput(explainInput, input)
    if (!parsed.done) return parsed
    const { environment, ...about } = parsed.value
    const asked = { ...about, asks: 'server', now: this.dependencies.world.now() } as const
    const explanation = await this.dependencies.decider.explain(projectId, environment, key, asked)
    return explanation ? { done: true, explanation: withoutSecrets(explanation) } : missing
  }

  /** Reveals the values of a secret configuration to viewers who may see keys. The audit log records it. */
  async reveal(projectId: number, key: string, viewer: Viewer): Promise<Outcome<{ values: SecretValues }>> {
    requireRight('keys:write', projectId, viewer)
    const { store, seal, world } = this.dependencies
    const flag = await flagNamed(store, projectId, key)
    if (!flag) return missing
    const values = secretValues(flag, seal)
    if (!values) return sealedElsewhere
    await store.transaction((transaction) =>
      recordAudit(transaction, { action: 'flag.reveal', subject: key, projectId }, viewer, world.now()),
    )
    return { done: true, values }
  }

  private async insert(
    transaction: StoreTransaction,
    context: ProjectFlagContext,
    { projectId, input, viewer }: { projectId: number; input: unknown; viewer: Viewer },
  ): Promise<FlagOutcome> {
    const read = posthogFlagRefusal(input) ?? parseInput(newFlag, input)
    if (!read.done) return read
    const refusedNew = refusalOfNew(read.value.key, context)
    if (refusedNew) return refusedNew
    const flag = this.made(projectId, read.value, await nextFlagId(transaction), viewer)
    return await this.writer.save(transaction, { action: 'flag.create', flag }, context, viewer)
  }

  private made(
    projectId: number,
    input: NewFlag | Omit<Flag, 'id' | 'projectId'>,
    id: number,
    viewer: Viewer,
  ): Flag {
    const now = this.dependencies.world.now()
    return {
      id,
      projectId,
      ...input,
      hasExperiment: false,
      version: 0,
      createdBy: viewer.name,
      createdAt: now,
      changedAt: now,
      archivedAt: undefined,
    }
  }

  /** Runs a change with what belongs to it: if either is refused, neither is kept. */
  private async changeWith(
    projectId: number,
    alongside: Alongside | undefined,
    change: (transaction: StoreTransaction, context: ProjectFlagContext) => Promise<FlagOutcome>,
  ): Promise<FlagOutcome> {
    try {
      return await this.writer.runChange(projectId, async (transaction, context) => {
        const changed = await change(transaction, context)
        if (!changed.done || !alongside) return changed
        const outcome = await alongside(transaction, changed.flag)
        if (!outcome.done) throw new RefusedChangeError(outcome)
        return changed
      })
    } catch (problem) {
      if (problem instanceof RefusedChangeError) return problem.outcome
      throw problem
    }
  }

  private async editing(
    projectId: number,
    key: string,
    viewer: Viewer,
    edit: (before: Flag, context: ProjectFlagContext, transaction: StoreTransaction) => FlagEdit,
  ): Promise<FlagOutcome> {
    return await this.writer.runChange(projectId, async (transaction, context) => {
      const before = context.flags.get(key)
      if (!before) return missing
      if (before.keptBySurvey !== undefined) return ofSurvey
      if (before.archivedAt) return archived
      const edited = await edit(before, context, transaction)
      if (!edited.done) return edited
      return await this.writer.save(transaction, { ...edited.wanted, before }, context, viewer)
    })
  }
}

/** Takes a transaction back whose flag was written already. */
class RefusedChangeError extends Error {
  override readonly name = 'RefusedChangeError'

  constructor(readonly outcome: FailedOutcome) {
    super('What was to be written alongside a flag was refused.')
  }
}

const everybody: ConditionSet = {
  description: '',
  conditions: [],
  percentage: 100,
  variant: undefined,
  isLast: false,
}
/** The setting of an environment that was never set up: once switched on, the flag is on for everyone. */
const forEverybody: FlagSetting = { isOn: false, conditions: [everybody], holdout: undefined, payloads: {} }

const settingOf = ({ environments }: Flag, name: string): FlagSetting | undefined =>
  Object.hasOwn(environments, name) ? environments[name] : undefined

function turnedOff(
  { id: _id, projectId: _projectId, environments, ...kept }: Flag,
  key: string,
): Omit<Flag, 'id' | 'projectId'> {
  const off = Object.entries(environments).map(([name, setting]): [string, FlagSetting] => [
    name,
    { ...setting, isOn: false, layer: undefined },
  ])
  return { ...kept, key, environments: Object.fromEntries(off) }
}

/** The refusal of a new flag with this key, if there is one. */
function refusalOfNew(key: string, context: ProjectFlagContext): FailedOutcome | undefined {
  const known = context.flags.get(key)
  if (known) return keyTaken(known)
  return liveFlagsIn(context).length >= flagLimits.flags ? failedOutcome(tooManyFlags) : undefined
}

const noEnvironment = (name: string, field: string) =>
  failedOutcome(`There is no environment “${name}” in this project.`, field)

function withoutGoneEnvironments(flag: Flag, { environments }: ProjectFlagContext): Flag {
  const kept = Object.entries(flag.environments).filter(([name]) => environments.has(name))
  return { ...flag, environments: Object.fromEntries(kept) }
}

const keyTaken = ({ key, archivedAt }: Flag) =>
  failedOutcome(
    archivedAt
      ? `There was a flag “${key}”, which is archived. Restore it, or choose another key.`
      : `There is a flag “${key}” already. Choose another key.`,
    'key',
  )

const refuseOutdatedFlag = (store: StoreTransaction, flag: Flag, basis: number | undefined) =>
  refuseOutdated({
    name: flag.key,
    field: 'version',
    basis,
    current: flag.version,
    latest: async () => {
      const [latest] = await versionsOf(store, flag, { after: flag.version - 1 })
      return { by: latest?.by, at: flag.changedAt }
    },
  })

const secretFromTheStart = failedOutcome(
  'Whether a configuration is secret is said when it is made. Make another one.',
  'isSecret',
)

const sealedElsewhere = failedOutcome(
  'It was encrypted with another key than the one in flags.key. Restore that file, or enter the values again.',
)

const listed = (names: readonly string[]): string =>
  names.slice(0, 3).join(', ') + (names.length > 3 ? ` and ${names.length - 3} more` : '')

const neededBy = (flags: readonly Flag[]) =>
  failedOutcome(`It is needed by ${listed(flags.map(({ key }) => `“${key}”`))}. Change that first.`)

const stillRequestedBy = (clients: readonly FlagClient[]) =>
  failedOutcome(
    `Code still asks for it: ${listed(clients.map(inWords))} in the last 7 days. ` +
      'Take it out of there first, or archive it anyway.',
    'anyway',
  )

const perhapsRequested = failedOutcome(
  'Whether code still asks for it cannot be found out just now. Try again later, or archive it anyway.',
  'anyway',
)

const inWords = ({ client, times }: FlagClient): string =>
  `${client} ${times === 1 ? 'once' : `${times.toLocaleString('en')} times`}`
