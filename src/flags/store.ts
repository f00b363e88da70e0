import { z } from 'zod'
import { partOf } from '#collection/change-of'
import { inBatches } from '#store/rows'
import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { Flag, FlagEnvironment, FlagSetting } from './flag'
import { editableFlag, flagSchema } from './flag-schema'
import type { FlagVersion } from './history'
import { type HoldoutSizes, holdoutSizes } from './internal/stored-holdouts'

/** The fields of a flag that its history stores. */
const storedFlag = z.object({
  ...editableFlag.shape,
  ...flagSchema.pick({ hasExperiment: true, keptBySurvey: true }).shape,
})
type StoredFlagDefinition = Pick<Flag, keyof z.infer<typeof storedFlag>>

const columns = [
  'id',
  'projectId',
  'key',
  'version',
  'createdBy',
  'createdAt',
  'changedAt',
  'archivedAt',
] as const
type FlagRow = Pick<Flag, (typeof columns)[number]> & { definition: StoredFlagDefinition }

interface FlagTables {
  flags: RowsOf<FlagRow>
  flagVersions: RowsOf<
    Pick<FlagRow, 'version' | 'definition' | 'archivedAt' | 'changedAt'> & {
      flagId: number
      changedBy: string
      note: string | undefined
    }
  >
  flagEnvironments: FlagEnvironment & { createdAt: Date }
  flagSchedules: { projectId: number; environment: string }
}

const open = openTables<FlagTables>({ json: ['definition'] })

/** The values of fields that a stored flag from before them lacks. */
const blank = { ...editableFlag.parse({}), earlyAccess: undefined }

function completed(definition: StoredFlagDefinition, holdouts: HoldoutSizes): StoredFlagDefinition {
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

const toFlag = ({ definition, ...row }: FlagRow, holdouts: HoldoutSizes): Flag => ({
  ...completed(definition, holdouts),
  ...row,
})

const none: HoldoutSizes = new Map()

/** Returns the flags of all projects by key, archived ones included. */
export async function everyFlag(store: TableSource): Promise<Flag[]> {
  const sizes = await holdoutSizes(store)
  const rows = await open(store).selectFrom('flags').selectAll().orderBy('projectId').orderBy('key').execute()
  return rows.map((row) => toFlag(row, sizes.get(row.projectId) ?? none))
}

/** Returns flags by key, archived ones included. */
export async function flagsOf(store: TableSource, projectId: number): Promise<Flag[]> {
  const sizes = await holdoutSizes(store, projectId)
  const rows = await open(store)
    .selectFrom('flags')
    .selectAll()
    .where('projectId', '=', projectId)
    .orderBy('key')
    .execute()
  return rows.map((row) => toFlag(row, sizes.get(projectId) ?? none))
}

export async function flagNamed(
  store: TableSource,
  projectId: number,
  key: string,
): Promise<Flag | undefined> {
  const sizes = await holdoutSizes(store, projectId)
  const row = await open(store)
    .selectFrom('flags')
    .selectAll()
    .where('projectId', '=', projectId)
    .where('key', '=', key)
    .executeTakeFirst()
  return row && toFlag(row, sizes.get(projectId) ?? none)
}

/** Flag numbers are unique across projects: SDKs that identify flags by number never see one twice. */
export async function nextFlagId(store: TableSource): Promise<number> {
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

export async function saveFlags(store: TableSource, changes: readonly FlagRevision[]): Promise<void> {
  for (const portion of inBatches(changes)) {
    await open(store)
      .insertInto('flags')
      .values(portion.map(({ flag }) => ({ ...rowOf(columns, flag), definition: partOf(storedFlag, flag) })))
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((row) => ({
          definition: row.ref('excluded.definition'),
          version: row.ref('excluded.version'),
          changedAt: row.ref('excluded.changedAt'),
          archivedAt: row.ref('excluded.archivedAt'),
        })),
      )
      .execute()
    await open(store).insertInto('flagVersions').values(portion.map(versionRow)).execute()
  }
}

const versionRow = ({ flag, by, note }: FlagRevision) => ({
  ...rowOf(['version', 'changedAt', 'archivedAt'], flag),
  flagId: flag.id,
  definition: partOf(storedFlag, flag),
  changedBy: by,
  note: note ?? null,
})

/** Returns versions, the newest first. */
export async function versionsOf(
  store: TableSource,
  flag: Flag,
  { after = 0 }: { after?: number } = {},
): Promise<FlagVersion[]> {
  const sizes = await holdoutSizes(store, flag.projectId)
  const rows = await open(store)
    .selectFrom('flagVersions')
    .selectAll()
    .where('flagId', '=', flag.id)
    .where('version', '>', after)
    .orderBy('version', 'desc')
    .execute()
  return rows.map(({ version, definition, changedAt, archivedAt, changedBy, note }) => ({
    version,
    flag: {
      ...flag,
      ...completed(definition, sizes.get(flag.projectId) ?? none),
      version,
      changedAt,
      archivedAt,
    },
    by: changedBy,
    at: changedAt,
    note,
  }))
}

const environments = (store: TableSource) =>
  open(store).selectFrom('flagEnvironments').select(['projectId', 'name', 'writeKey']).orderBy('name')

/** Returns the environments of all projects by name, except the main ones. */
export const everyEnvironment = async (store: TableSource): Promise<FlagEnvironment[]> =>
  await environments(store).execute()

export const environmentsOf = async (store: TableSource, projectId: number): Promise<FlagEnvironment[]> =>
  await environments(store).where('projectId', '=', projectId).execute()

export async function saveEnvironment(
  store: TableSource,
  { projectId, name, writeKey }: FlagEnvironment,
  createdAt: Date,
): Promise<void> {
  await open(store)
    .insertInto('flagEnvironments')
    .values({ projectId, name, writeKey, createdAt })
    .onConflict((conflict) => conflict.columns(['projectId', 'name']).doUpdateSet({ writeKey }))
    .execute()
}

export async function forgetEnvironment(
  store: TableSource,
  { projectId, name }: FlagEnvironment,
): Promise<void> {
  const tables = open(store)
  await tables
    .deleteFrom('flagEnvironments')
    .where('projectId', '=', projectId)
    .where('name', '=', name)
    .execute()
  await tables
    .deleteFrom('flagSchedules')
    .where('projectId', '=', projectId)
    .where('environment', '=', name)
    .execute()
}
