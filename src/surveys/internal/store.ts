import type { z } from 'zod'
import { partOf } from '#collection/change-of'
import { inBatches } from '#store/rows'
import type { TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { Survey, SurveyAppearance, SurveyVersion } from '../survey'
import { surveySchema, surveyVersion } from '../survey-schema'

const withColumn = {
  id: true,
  projectId: true,
  name: true,
  version: true,
  revision: true,
  startsAt: true,
  endsAt: true,
  archivedAt: true,
  createdBy: true,
  createdAt: true,
  changedBy: true,
  changedAt: true,
} as const
const columns = surveySchema.pick(withColumn).keyof().options

/** Everything of a survey that has no column. */
const surveyDefinition = surveySchema.omit(withColumn)
type SurveyDefinition = Pick<Survey, keyof z.infer<typeof surveyDefinition>>

/** A survey of an earlier version has no field that is newer. */
type StoredDefinition = Omit<SurveyDefinition, 'notify'> & Partial<Pick<SurveyDefinition, 'notify'>>

interface SurveyTables {
  surveys: RowsOf<Omit<Survey, keyof SurveyDefinition> & { definition: StoredDefinition }>
  surveyVersions: RowsOf<SurveyVersion & { projectId: number }>
}

const open = openTables<SurveyTables>({ json: ['definition', 'content'] })
const versionColumns = surveyVersion.keyof().options

const surveys = (store: TableSource) => open(store).selectFrom('surveys').selectAll()

type SurveyRow = Awaited<ReturnType<ReturnType<typeof surveys>['execute']>>[number]

const toSurvey = ({ definition, ...row }: SurveyRow): Survey =>
  withoutCss({ notify: [], ...definition, ...row })

/** Surveys of earlier versions had CSS of their own among their looks. */
function withoutCss<Row extends Pick<Survey, 'content'>>(row: Row): Row {
  const { css: _, ...appearance }: SurveyAppearance & { css?: unknown } = row.content.appearance
  return { ...row, content: { ...row.content, appearance } }
}

/** Identifies one state of a survey without its content. */
export interface SurveyStamp {
  projectId: number
  id: string
  revision: number
}

/** Returns the stamps of every project, by age. */
export const everyStamp = async (store: TableSource): Promise<SurveyStamp[]> =>
  await open(store)
    .selectFrom('surveys')
    .select(['projectId', 'id', 'revision'])
    .orderBy('projectId')
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/** Returns surveys by age, archived ones among them. */
export async function surveysOf(store: TableSource, projectId: number): Promise<Survey[]> {
  const rows = await surveys(store)
    .where('projectId', '=', projectId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows.map(toSurvey)
}

export async function surveyWithId(
  store: TableSource,
  projectId: number,
  id: string,
): Promise<Survey | undefined> {
  const [found] = await surveysWithIds(store, projectId, [id])
  return found
}

export async function surveysWithIds(
  store: TableSource,
  projectId: number,
  ids: readonly string[],
): Promise<Survey[]> {
  const found: Survey[] = []
  for (const portion of inBatches(ids)) {
    const rows = await surveys(store).where('projectId', '=', projectId).where('id', 'in', portion).execute()
    found.push(...rows.map(toSurvey))
  }
  return found
}

const versions = (store: TableSource, projectId: number) =>
  open(store)
    .selectFrom('surveyVersions')
    .select(versionColumns)
    .where('projectId', '=', projectId)
    .orderBy('version')

/** Returns the versions of a survey, the oldest first. */
export async function versionsOf(
  store: TableSource,
  projectId: number,
  surveyId: string,
): Promise<SurveyVersion[]> {
  const rows = await versions(store, projectId).where('surveyId', '=', surveyId).execute()
  return rows.map(withoutCss)
}

/** Returns the versions of all surveys of a project, the oldest first. */
export async function versionsIn(store: TableSource, projectId: number): Promise<SurveyVersion[]> {
  const rows = await versions(store, projectId).execute()
  return rows.map(withoutCss)
}

export async function saveSurvey(store: TableSource, survey: Survey): Promise<void> {
  const row = { ...rowOf(columns, survey), definition: partOf(surveyDefinition, survey) }
  await open(store)
    .insertInto('surveys')
    .values(row)
    .onConflict((conflict) => conflict.columns(['projectId', 'id']).doUpdateSet(row))
    .execute()
}

/** The next save of the same version replaces its content. */
export async function saveVersion(
  store: TableSource,
  { projectId }: Pick<Survey, 'projectId'>,
  version: SurveyVersion,
): Promise<void> {
  const row = { projectId, ...rowOf(versionColumns, version) }
  await open(store)
    .insertInto('surveyVersions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['projectId', 'surveyId', 'version']).doUpdateSet(row))
    .execute()
}

/** Takes its versions and links with it. */
export async function forgetSurvey(
  store: TableSource,
  { projectId, id }: Pick<Survey, 'projectId' | 'id'>,
): Promise<void> {
  await open(store).deleteFrom('surveys').where('projectId', '=', projectId).where('id', '=', id).execute()
}
