import { z } from 'zod'
import { requireRight, type Viewer } from '../projects/access'
import { record } from '../projects/audit'
import { type Outcome, type Parsed, parse, undone } from '../projects/problems'
import type { Deciding } from './deciding'
import type { Explanation } from './explain'
import { explainInput } from './explain-input'
import { type ConditionSet, type Flag, mainEnvironment, type Setting } from './flag'
import {
  changedFlag,
  flagChange,
  type FlagChange,
  most,
  newFlag,
  type NewFlag,
  tooManyFlags,
} from './flag-input'
import type { FlagVersion } from './history'
import { type Candidate, type Imported, readPosthogFlags, sorted } from './imported'
import { type Changed, Keeping, type KeepingGround, type Wanted } from './input/keeping'
import { fromPosthog, groupTypesIn, toPosthog } from './posthog-form'
import { secretValues, type SecretValues, withSecretsMasked } from './secret-values'
import { flagNamed, flagsOf, nextFlagId, versionsOf } from './store'
import { dependentsOn, liveIn, type Surroundings } from './input/surroundings'
import { changeSaid, readsAsPosthog, saidIn } from './posthog/changes'

/** Code that asked for a flag lately. */
export interface Asker {
  /** "posthog-node" */
  client: string
  times: number
}

interface Ground extends KeepingGround {
  deciding: Pick<Deciding, 'explain'>
  /** Who asked for a flag in the last week; undefined while that cannot be found out. */
  whoAsks: (projectId: number, key: string) => Promise<readonly Asker[] | undefined>
}

const missing = undone('There is no such flag in this project.')
const archived = undone('The flag is archived. Bring it back first.')

const note = z
  .string({ error: 'Write the note as text.' })
  .max(500, 'Use at most 500 characters for the note.')
  .optional()
const noted = z.looseObject({ note }, { error: 'Say what is to change.' })

const turning = z.strictObject({
  environment: z.string({ error: 'Name the environment.' }).default(mainEnvironment),
  isOn: z.boolean({ error: 'Say true or false.' }),
  note,
})

/** Switches of a project. What they decide is the work of `Deciding`. */
export class Flags {
  private readonly keeping: Keeping

  constructor(private readonly ground: Ground) {
    this.keeping = new Keeping(ground)
  }

  /** By key, archived ones among them. Secret values are masked, here and everywhere but in `reveal`. */
  async list(projectId: number, viewer: Viewer): Promise<Flag[]> {
    requireRight('project:read', projectId, viewer)
    const all = await flagsOf(this.ground.store, projectId)
    return all.map(withSecretsMasked)
  }

  async find(projectId: number, key: string, viewer: Viewer): Promise<Flag | undefined> {
    requireRight('project:read', projectId, viewer)
    const flag = await flagNamed(this.ground.store, projectId, key)
    return flag && withSecretsMasked(flag)
  }

  /** In our words or in PostHog's. */
  async create(projectId: number, input: unknown, viewer: Viewer): Promise<Changed> {
    requireRight('flags:write', projectId, viewer)
    return await this.keeping.changing(projectId, async (transaction, around) => {
      const isTheirs = readsAsPosthog(input)
      const read = isTheirs ? fromTheirs(input, around) : parse(newFlag, input)
      if (!read.done) return read
      const known = around.flags.get(read.value.key)
      if (known) return taken(known)
      if (liveIn(around).length >= most.flags) return undone(tooManyFlags)
      const flag = this.made(projectId, read.value, await nextFlagId(transaction), viewer)
      const wanted = { action: 'flag.create', flag } as const
      if (!isTheirs) return await this.keeping.save(transaction, wanted, around, viewer)
      const { refused } = sorted([{ flag, before: undefined }], around)
      if (refused[0]) return { done: false, problems: refused[0].problems }
      await this.keeping.adopt(transaction, [flag], around, viewer)
      return await this.keeping.keep(transaction, wanted, viewer)
    })
  }

  /** What is not said stays as it is. With a `version` that is not the latest, nothing is changed. */
  async change(projectId: number, key: string, input: unknown, viewer: Viewer): Promise<Changed> {
    requireRight('flags:write', projectId, viewer)
    return await this.editing(projectId, key, viewer, (before, around) => {
      const read = readsAsPosthog(input) ? changeInTheirWords(input, before, around) : parse(noted, input)
      if (!read.done) return read
      const { note: why, ...said } = read.value
      const change = parse(flagChange, said)
      if (!change.done) return change
      const { version = before.version } = change.value
      if (version !== before.version) return overtaken(before)
      const flag = changedFlag(before, change.value)
      if (flag.isSecret !== before.isSecret) return secretFromTheStart
      return { done: true, wanted: { action: 'flag.change', flag, note: why } }
    })
  }

  async turn(projectId: number, key: string, input: unknown, viewer: Viewer): Promise<Changed> {
    requireRight('flags:write', projectId, viewer)
    const parsed = parse(turning, input)
    if (!parsed.done) return parsed
    const { environment, isOn, note: why } = parsed.value
    return await this.editing(projectId, key, viewer, (before) => {
      const setting = { ...(settingOf(before, environment) ?? forEverybody), isOn }
      const flag = { ...before, environments: { ...before.environments, [environment]: setting } }
      return { done: true, wanted: { action: 'flag.turn', flag, note: why } }
    })
  }

  /** Out of every answer, and back with one word: nothing is deleted. Whose code still asks for it is told first. */
  async archive(
    projectId: number,
    key: string,
    viewer: Viewer,
    { anyway = false }: { anyway?: boolean | undefined } = {},
  ): Promise<Changed> {
    requireRight('flags:write', projectId, viewer)
    const askers = anyway ? [] : await this.ground.whoAsks(projectId, key)
    return await this.keeping.changing(projectId, async (transaction, around) => {
      const before = around.flags.get(key)
      if (!before) return missing
      if (before.archivedAt) return undone('The flag is archived already.')
      const dependents = dependentsOn(key, around)
      if (dependents.length > 0) return neededBy(dependents)
      if (!askers) return perhapsAsked
      if (askers.length > 0) return stillAskedBy(askers)
      const flag = { ...before, archivedAt: this.ground.world.now() }
      return await this.keeping.keep(transaction, { action: 'flag.archive', flag, before }, viewer)
    })
  }

  async restore(projectId: number, key: string, viewer: Viewer): Promise<Changed> {
    requireRight('flags:write', projectId, viewer)
    return await this.keeping.changing(projectId, async (transaction, around) => {
      const before = around.flags.get(key)
      if (!before) return missing
      if (!before.archivedAt) return undone('The flag is not archived.')
      if (liveIn(around).length >= most.flags) return undone(tooManyFlags)
      const flag = { ...before, archivedAt: undefined }
      return await this.keeping.save(transaction, { action: 'flag.restore', flag, before }, around, viewer)
    })
  }

  /** The latest first; none where there is no such flag. */
  async history(projectId: number, key: string, viewer: Viewer): Promise<FlagVersion[]> {
    requireRight('project:read', projectId, viewer)
    const flag = await flagNamed(this.ground.store, projectId, key)
    const versions = flag ? await versionsOf(this.ground.store, flag) : []
    return versions.map((one) => ({ ...one, flag: withSecretsMasked(one.flag) }))
  }

  /** As it was then, as a new version: what came in between stays in the history. */
  async revert(projectId: number, key: string, version: number, viewer: Viewer): Promise<Changed> {
    requireRight('flags:write', projectId, viewer)
    return await this.keeping.changing(projectId, async (transaction, around) => {
      const before = around.flags.get(key)
      if (!before) return missing
      if (before.archivedAt) return archived
      const then = (await versionsOf(transaction, before)).find((one) => one.version === version)
      if (!then) return undone(`There is no version ${version} of this flag.`)
      const flag = { ...withoutGoneEnvironments(then.flag, around), archivedAt: undefined }
      const wanted = { action: 'flag.revert', flag, before, note: `Back to version ${version}.` } as const
      return await this.keeping.save(transaction, wanted, around, viewer)
    })
  }

  /** One flag, a list of them, or what PostHog's API answers. What can be taken is; of the rest is said why not. */
  async importFrom(
    projectId: number,
    json: unknown,
    viewer: Viewer,
    { environment = mainEnvironment }: { environment?: string | undefined } = {},
  ): Promise<Outcome<Imported>> {
    requireRight('flags:write', projectId, viewer)
    const read = readPosthogFlags(json, environment)
    if (!read.done) return read
    return await this.keeping.changing(projectId, async (transaction, around) => {
      const first = await nextFlagId(transaction)
      const candidates = read.flags.map((theirs, place): Candidate => {
        const before = around.flags.get(theirs.flag.key)
        if (!before) return { flag: this.made(projectId, theirs.flag, first + place, viewer), before }
        return { flag: changedFlag(before, changeSaid(theirs, before, environment)), before }
      })
      const { accepted, refused } = sorted(candidates, around)
      const imported = await this.keeping.keepAll(transaction, accepted, around, viewer)
      return { done: true, ...imported, refused: [...read.refused, ...refused] }
    })
  }

  /** What a visitor gets, and why, as it would be decided now. */
  async explain(
    projectId: number,
    key: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ explanation: Explanation }>> {
    // it tells what is known of a person
    requireRight('events:read', projectId, viewer)
    const parsed = parse(explainInput, input)
    if (!parsed.done) return parsed
    const { environment, ...about } = parsed.value
    const asked = { ...about, asks: 'server', now: this.ground.world.now() } as const
    const explanation = await this.ground.deciding.explain(projectId, environment, key, asked)
    return explanation ? { done: true, explanation } : missing
  }

  /** The values of a secret configuration, for those who may see keys. The log says that they looked. */
  async reveal(projectId: number, key: string, viewer: Viewer): Promise<Outcome<{ values: SecretValues }>> {
    requireRight('keys:write', projectId, viewer)
    const { store, seal, world } = this.ground
    const flag = await flagNamed(store, projectId, key)
    if (!flag) return missing
    const values = secretValues(flag, seal)
    if (!values) return sealedElsewhere
    await store.transaction((transaction) =>
      record(transaction, { action: 'flag.reveal', subject: key, projectId }, viewer, world.now()),
    )
    return { done: true, values }
  }

  private made(projectId: number, input: NewFlag, id: number, viewer: Viewer): Flag {
    const now = this.ground.world.now()
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

  private async editing(
    projectId: number,
    key: string,
    viewer: Viewer,
    edit: (before: Flag, around: Surroundings) => Outcome<{ wanted: Wanted }>,
  ): Promise<Changed> {
    return await this.keeping.changing(projectId, async (transaction, around) => {
      const before = around.flags.get(key)
      if (!before) return missing
      if (before.archivedAt) return archived
      const edited = edit(before, around)
      if (!edited.done) return edited
      return await this.keeping.save(transaction, { ...edited.wanted, before }, around, viewer)
    })
  }
}

const everybody: ConditionSet = {
  description: '',
  conditions: [],
  percentage: 100,
  variant: undefined,
  isLast: false,
}
/** Where nobody ever said to whom: on means on. */
const forEverybody: Setting = { isOn: false, conditions: [everybody], holdout: undefined, payloads: {} }

const settingOf = ({ environments }: Flag, name: string): Setting | undefined =>
  Object.hasOwn(environments, name) ? environments[name] : undefined

const fromTheirs = (input: Record<string, unknown>, around: Surroundings): Parsed<NewFlag> =>
  fromPosthog(input, mainEnvironment, groupTypesIn(liveIn(around)))

/** What their words leave out stays as it is, as their own API has it. */
function changeInTheirWords(
  input: Record<string, unknown>,
  before: Flag,
  around: Surroundings,
): Parsed<FlagChange & { note?: string | undefined }> {
  const known = toPosthog(withSecretsMasked(before), mainEnvironment, groupTypesIn(liveIn(around)))
  const read = fromTheirs({ ...known, ...input, key: before.key }, around)
  if (!read.done) return read
  const theirs = { flag: read.value, said: saidIn(input) }
  return { done: true, value: changeSaid(theirs, before, mainEnvironment) }
}

function withoutGoneEnvironments(flag: Flag, { environments }: Surroundings): Flag {
  const kept = Object.entries(flag.environments).filter(([name]) => environments.has(name))
  return { ...flag, environments: Object.fromEntries(kept) }
}

const taken = ({ key, archivedAt }: Flag) =>
  undone(
    archivedAt
      ? `There was a flag “${key}”, which is archived. Bring it back, or choose another key.`
      : `There is a flag “${key}” already. Choose another key.`,
    'key',
  )

const overtaken = ({ version, key }: Flag) =>
  undone(`“${key}” was changed meanwhile: it is at version ${version}. Look at it again.`, 'version')

const secretFromTheStart = undone(
  'Whether a configuration is secret is said when it is made. Make another one.',
  'isSecret',
)

const sealedElsewhere = undone(
  'It was encrypted with another key than the one in flags.key. Bring that file back, or give the values anew.',
)

const listed = (names: readonly string[]): string =>
  names.slice(0, 3).join(', ') + (names.length > 3 ? ` and ${names.length - 3} more` : '')

const neededBy = (flags: readonly Flag[]) =>
  undone(`It is needed by ${listed(flags.map(({ key }) => `“${key}”`))}. Change that first.`)

const stillAskedBy = (askers: readonly Asker[]) =>
  undone(
    `Code still asks for it: ${listed(askers.map(inWords))} in the last 7 days. ` +
      'Take it out of there first, or archive it anyway.',
    'anyway',
  )

const perhapsAsked = undone(
  'Whether code still asks for it cannot be found out just now. Try again later, or archive it anyway.',
  'anyway',
)

const inWords = ({ client, times }: Asker): string =>
  `${client} ${times === 1 ? 'once' : `${times.toLocaleString('en')} times`}`
