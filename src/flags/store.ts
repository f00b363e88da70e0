import type { Selectable } from 'kysely'
import { z } from 'zod'
import { partOf } from '#collection/change-of'
import { inBatches, dateOrUndefined, isoOrNull } from '#store/rows'
import type { Store } from '#store/store'
import type { Flag, FlagEnvironment, FlagSetting } from './flag'
import { editableFlag, flagSchema } from './flag-schema'
import type { FlagVersion } from './history'
import type { ProjectHoldout } from './holdouts'
import type { Schedule, ScheduleStep } from './schedules'

interface FlagTables {
  flags: {
    id: number
    project_id: number
    key: string
    definition: string
    version: number
    created_by: string
    created_at: string
    changed_at: string
    archived_at: string | null
  }
  flag_versions: {
    flag_id: number
    version: number
    definition: string
    archived_at: string | null
    changed_by: string
    changed_at: string
    note: string | null
  }
  flag_environments: { project_id: number; name: string; write_key: string; created_at: string }
  flag_holdouts: {
    project_id: number
    id: number
    name: string
    percentage: number
    created_by: string
    created_at: string
  }
  flag_schedules: {
    id: string
    project_id: number
    flag_id: number
    environment: string
    steps: string
    next_at: string | null
    created_by: string
    created_at: string
  }
  flag_kept_ids: { project_id: number; person_id: string; flag_key: string; kept_id: string }
}

export type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<FlagTables>()

/** The fields of a flag that its history stores. */
const storedFlag = z.object({
  ...editableFlag.shape,
  ...flagSchema.pick({ hasExperiment: true, keptBySurvey: true }).shape,
})
type StoredFlagDefinition = Pick<Flag, keyof z.infer<typeof storedFlag>>

/** Percentages come from the holdout, so that all its flags hold out the same people. */
type HoldoutSizes = ReadonlyMap<number, number>

/** What is stored from before a field existed has none. */
const blank = { ...editableFlag.parse({}), earlyAccess: undefined }

function definitionIn(text: string, holdouts: HoldoutSizes): StoredFlagDefinition {
  const definition = JSON.parse(text) as StoredFlagDefinition // only `definitionText` writes it
  const settings = Object.entries(definition.environments)
  return {
    ...blank,
    ...definition,
    environments: Object.fromEntries(
      settings.map(([name, setting]) => [name, withHoldout(setting, holdouts)]),
    ),
  }
}

function withHoldout(setting: FlagSetting, holdouts: HoldoutSizes): FlagSetting {
  const { holdout } = setting
  const percentage = holdout && holdouts.get(holdout.id)
  return {
    ...setting,
    holdout: holdout && percentage !== undefined ? { id: holdout.id, percentage } : undefined,
  }
}

const definitionText = (flag: Flag): string => JSON.stringify(partOf(storedFlag, flag))

const toFlag = (row: Selectable<FlagTables['flags']>, holdouts: HoldoutSizes): Flag => ({
  ...definitionIn(row.definition, holdouts),
  id: row.id,
  projectId: row.project_id,
  key: row.key,
  version: row.version,
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
  changedAt: new Date(row.changed_at),
  archivedAt: dateOrUndefined(row.archived_at),
})

async function holdoutSizes(
  store: StoreOrTransaction,
  projectId?: number,
): Promise<Map<number, Map<number, number>>> {
  const all = open(store).selectFrom('flag_holdouts').select(['project_id', 'id', 'percentage'])
  const rows = await (projectId === undefined ? all : all.where('project_id', '=', projectId)).execute()
  const sizes = new Map<number, Map<number, number>>()
  for (const { project_id, id, percentage } of rows) {
    const ofProject = sizes.get(project_id) ?? new Map<number, number>()
    sizes.set(project_id, ofProject.set(id, percentage))
  }
  return sizes
}

const none: HoldoutSizes = new Map()

/** Returns the flags of all projects by key, archived ones included. */
export async function everyFlag(store: StoreOrTransaction): Promise<Flag[]> {
  const sizes = await holdoutSizes(store)
  const rows = await open(store)
    .selectFrom('flags')
    .selectAll()
    .orderBy('project_id')
    .orderBy('key')
    .execute()
  return rows.map((row) => toFlag(row, sizes.get(row.project_id) ?? none))
}

/** Returns flags by key, archived ones included. */
export async function flagsOf(store: StoreOrTransaction, projectId: number): Promise<Flag[]> {
  const sizes = await holdoutSizes(store, projectId)
  const rows = await open(store)
    .selectFrom('flags')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('key')
    .execute()
  return rows.map((row) => toFlag(row, sizes.get(projectId) ?? none))
}

export async function flagNamed(
  store: StoreOrTransaction,
  projectId: number,
  key: string,
): Promise<Flag | undefined> {
  const sizes = await holdoutSizes(store, projectId)
  const row = await open(store)
    .selectFrom('flags')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('key', '=', key)
    .executeTakeFirst()
  return row && toFlag(row, sizes.get(projectId) ?? none)
}

/** Flag numbers are unique across projects: SDKs that identify flags by number never see one twice. */
export async function nextFlagId(store: StoreOrTransaction): Promise<number> {
  const top = await open(store)
    .selectFrom('flags')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  return (top?.id ?? 0) + 1
}

/** A new version of a flag, and its entry in the history. */
interface FlagRevision {
  flag: Flag
  by: string
  note: string | undefined
}

export async function saveFlags(store: StoreOrTransaction, changes: readonly FlagRevision[]): Promise<void> {
  for (const portion of inBatches(changes)) {
    await open(store)
      .insertInto('flags')
      .values(portion.map(({ flag }) => rowOf(flag)))
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((row) => ({
          definition: row.ref('excluded.definition'),
          version: row.ref('excluded.version'),
          changed_at: row.ref('excluded.changed_at'),
          archived_at: row.ref('excluded.archived_at'),
        })),
      )
      .execute()
    await open(store).insertInto('flag_versions').values(portion.map(versionRow)).execute()
  }
}

const rowOf = (flag: Flag) => ({
  id: flag.id,
  project_id: flag.projectId,
  key: flag.key,
  definition: definitionText(flag),
  version: flag.version,
  created_by: flag.createdBy,
  created_at: flag.createdAt.toISOString(),
  changed_at: flag.changedAt.toISOString(),
  archived_at: isoOrNull(flag.archivedAt),
})

const versionRow = ({ flag, by, note }: FlagRevision) => ({
  flag_id: flag.id,
  version: flag.version,
  definition: definitionText(flag),
  archived_at: isoOrNull(flag.archivedAt),
  changed_by: by,
  changed_at: flag.changedAt.toISOString(),
  note: note ?? null,
})

/** Returns versions, the newest first. */
export async function versionsOf(
  store: StoreOrTransaction,
  flag: Flag,
  { after = 0 }: { after?: number } = {},
): Promise<FlagVersion[]> {
  const sizes = await holdoutSizes(store, flag.projectId)
  const rows = await open(store)
    .selectFrom('flag_versions')
    .selectAll()
    .where('flag_id', '=', flag.id)
    .where('version', '>', after)
    .orderBy('version', 'desc')
    .execute()
  return rows.map((row) => ({
    version: row.version,
    flag: {
      ...flag,
      ...definitionIn(row.definition, sizes.get(flag.projectId) ?? none),
      version: row.version,
      changedAt: new Date(row.changed_at),
      archivedAt: dateOrUndefined(row.archived_at),
    },
    by: row.changed_by,
    at: new Date(row.changed_at),
    note: row.note ?? undefined,
  }))
}

const toEnvironment = (row: Selectable<FlagTables['flag_environments']>): FlagEnvironment => ({
  projectId: row.project_id,
  name: row.name,
  writeKey: row.write_key,
})

/** Returns the environments of all projects by name, except the main ones. */
export async function everyEnvironment(store: StoreOrTransaction): Promise<FlagEnvironment[]> {
  const rows = await open(store).selectFrom('flag_environments').selectAll().orderBy('name').execute()
  return rows.map(toEnvironment)
}

export async function environmentsOf(
  store: StoreOrTransaction,
  projectId: number,
): Promise<FlagEnvironment[]> {
  const rows = await open(store)
    .selectFrom('flag_environments')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('name')
    .execute()
  return rows.map(toEnvironment)
}

export async function saveEnvironment(
  store: StoreOrTransaction,
  environment: FlagEnvironment,
  at: Date,
): Promise<void> {
  const { projectId, name, writeKey } = environment
  await open(store)
    .insertInto('flag_environments')
    .values({ project_id: projectId, name, write_key: writeKey, created_at: at.toISOString() })
    .onConflict((conflict) => conflict.columns(['project_id', 'name']).doUpdateSet({ write_key: writeKey }))
    .execute()
}

export async function forgetEnvironment(
  store: StoreOrTransaction,
  { projectId, name }: FlagEnvironment,
): Promise<void> {
  const tables = open(store)
  await tables
    .deleteFrom('flag_environments')
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .execute()
  await tables
    .deleteFrom('flag_schedules')
    .where('project_id', '=', projectId)
    .where('environment', '=', name)
    .execute()
}

export async function holdoutsOf(store: StoreOrTransaction, projectId: number): Promise<ProjectHoldout[]> {
  const rows = await open(store)
    .selectFrom('flag_holdouts')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    percentage: row.percentage,
    createdBy: row.created_by,
    createdAt: new Date(row.created_at),
  }))
}

export async function saveHoldout(store: StoreOrTransaction, holdout: ProjectHoldout): Promise<void> {
  const { id, projectId, name, percentage } = holdout
  await open(store)
    .insertInto('flag_holdouts')
    .values({
      project_id: projectId,
      id,
      name,
      percentage,
      created_by: holdout.createdBy,
      created_at: holdout.createdAt.toISOString(),
    })
    .onConflict((conflict) => conflict.columns(['project_id', 'id']).doUpdateSet({ name, percentage }))
    .execute()
}

export async function forgetHoldout(
  store: StoreOrTransaction,
  { projectId, id }: ProjectHoldout,
): Promise<void> {
  await open(store)
    .deleteFrom('flag_holdouts')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute()
}

/** The JSON representation. */
type StoredScheduleStep = Omit<ScheduleStep, 'at' | 'doneAt'> & { at: string; doneAt?: string }

const toSchedule = (row: Selectable<FlagTables['flag_schedules']> & { flag_key: string }): Schedule => ({
  id: row.id,
  projectId: row.project_id,
  flagId: row.flag_id,
  flagKey: row.flag_key,
  environment: row.environment,
  // only `saveSchedule` writes it
  steps: (JSON.parse(row.steps) as StoredScheduleStep[]).map(({ at, doneAt, ...step }) => ({
    ...step,
    at: new Date(at),
    doneAt: doneAt === undefined ? undefined : new Date(doneAt),
  })),
  nextAt: dateOrUndefined(row.next_at),
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
})

const schedules = (store: StoreOrTransaction) =>
  open(store)
    .selectFrom('flag_schedules')
    .innerJoin('flags', 'flags.id', 'flag_schedules.flag_id')
    .selectAll('flag_schedules')
    .select('flags.key as flag_key')

/** Returns pending schedules first, then completed ones, the latest first. */
export async function schedulesOf(
  store: StoreOrTransaction,
  projectId: number,
  flagId?: number,
): Promise<Schedule[]> {
  const all = schedules(store).where('flag_schedules.project_id', '=', projectId)
  const rows = await (flagId === undefined ? all : all.where('flag_id', '=', flagId))
    .orderBy('flag_schedules.created_at', 'desc')
    .orderBy('flag_schedules.id')
    .execute()
  const found = rows.map(toSchedule)
  const ahead = found.filter(({ nextAt }) => nextAt)
  const over = found.filter(({ nextAt }) => !nextAt)
  return [...ahead.toSorted((one, other) => timeOf(one) - timeOf(other)), ...over]
}

const timeOf = ({ nextAt }: Schedule): number => nextAt?.getTime() ?? Infinity

export async function schedulesDue(store: StoreOrTransaction, now: Date): Promise<Schedule[]> {
  const rows = await schedules(store)
    .where('next_at', '<=', now.toISOString())
    .orderBy('next_at')
    .orderBy('flag_schedules.id')
    .execute()
  return rows.map(toSchedule)
}

export async function saveSchedule(store: StoreOrTransaction, schedule: Schedule): Promise<void> {
  const columns = { steps: JSON.stringify(schedule.steps), next_at: isoOrNull(schedule.nextAt) }
  await open(store)
    .insertInto('flag_schedules')
    .values({
      id: schedule.id,
      project_id: schedule.projectId,
      flag_id: schedule.flagId,
      environment: schedule.environment,
      created_by: schedule.createdBy,
      created_at: schedule.createdAt.toISOString(),
      ...columns,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}

export async function forgetSchedule(store: StoreOrTransaction, id: string): Promise<void> {
  await open(store).deleteFrom('flag_schedules').where('id', '=', id).execute()
}

/** Ids by flag of a person who has any of these numbers. */
export const keptIdsOf = async (
  store: StoreOrTransaction,
  projectId: number,
  numbers: readonly string[],
): Promise<Record<string, string>> => firstKeptIds(await keptIdsOfEach(store, projectId, numbers), numbers)

/** Of the ids that a person has kept under several numbers, those of the first number count. */
export const firstKeptIds = (
  kept: ReadonlyMap<string, Readonly<Record<string, string>>>,
  numbers: readonly string[],
): Record<string, string> =>
  Object.assign(
    {},
    ...numbers
      .toSorted()
      .toReversed()
      .map((number) => kept.get(number)),
  )

/** The ids that flags have kept under each of many numbers, by flag. */
export async function keptIdsOfEach(
  store: StoreOrTransaction,
  projectId: number,
  numbers: readonly string[],
): Promise<Map<string, Record<string, string>>> {
  const kept = new Map<string, Record<string, string>>()
  for (const portion of inBatches(numbers)) {
    const rows = await open(store)
      .selectFrom('flag_kept_ids')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('person_id', 'in', portion)
      .execute()
    for (const { person_id, flag_key, kept_id } of rows)
      kept.set(person_id, { ...kept.get(person_id), [flag_key]: kept_id })
  }
  return kept
}

/** Saves ids by flag for a person. Existing ids stay. */
export async function keepIds(
  store: StoreOrTransaction,
  projectId: number,
  number: string,
  kept: Readonly<Record<string, string>>,
): Promise<void> {
  for (const portion of inBatches(Object.entries(kept))) {
    await open(store)
      .insertInto('flag_kept_ids')
      .values(
        portion.map(([flagKey, id]) => ({
          project_id: projectId,
          person_id: number,
          flag_key: flagKey,
          kept_id: id,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Deletes the ids of an erased person, under every id they had. */
export async function forgetKeptIds(
  store: StoreOrTransaction,
  projectId: number,
  numbers: readonly string[],
): Promise<void> {
  for (const portion of inBatches(numbers)) {
    await open(store)
      .deleteFrom('flag_kept_ids')
      .where('project_id', '=', projectId)
      .where('person_id', 'in', portion)
      .execute()
  }
}
