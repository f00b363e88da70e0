import type { Selectable } from 'kysely'
import type { z } from 'zod'
import { partOf } from '#collection/change-of'
import { dateOrUndefined, inBatches, isoOrNull } from '#store/rows'
import type { Store } from '#store/store'
import type { Survey, SurveyContent, SurveyVersion } from './survey'
import { surveySchema } from './survey-schema'

interface SurveyTables {
  surveys: {
    project_id: number
    id: string
    name: string
    definition: string
    version: number
    revision: number
    starts_at: string | null
    ends_at: string | null
    archived_at: string | null
    created_by: string
    created_at: string
    changed_by: string
    changed_at: string
  }
  survey_versions: {
    project_id: number
    survey_id: string
    version: number
    content: string
    created_by: string
    created_at: string
  }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<SurveyTables>()

/** Everything of a survey that has no column. */
const surveyDefinition = surveySchema.omit({
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
})
type SurveyDefinition = Pick<Survey, keyof z.infer<typeof surveyDefinition>>

/** A survey of an earlier version has no field that is newer. */
type StoredDefinition = Omit<SurveyDefinition, 'notify'> & Partial<Pick<SurveyDefinition, 'notify'>>

const definitionText = (survey: Survey): string => JSON.stringify(partOf(surveyDefinition, survey))

function toSurvey(row: Selectable<SurveyTables['surveys']>): Survey {
  const definition = JSON.parse(row.definition) as StoredDefinition // only `definitionText` writes it
  return {
    notify: [],
    ...definition,
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    version: row.version,
    revision: row.revision,
    startsAt: dateOrUndefined(row.starts_at),
    endsAt: dateOrUndefined(row.ends_at),
    archivedAt: dateOrUndefined(row.archived_at),
    createdBy: row.created_by,
    createdAt: new Date(row.created_at),
    changedBy: row.changed_by,
    changedAt: new Date(row.changed_at),
  }
}

const toVersion = (row: Selectable<SurveyTables['survey_versions']>): SurveyVersion => ({
  surveyId: row.survey_id,
  version: row.version,
  content: JSON.parse(row.content) as SurveyContent, // written by saveSurvey alone
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
})

/** Identifies one state of a survey without its content. */
export interface SurveyStamp {
  projectId: number
  id: string
  revision: number
}

/** Of every project, by age. */
export async function everyStamp(store: StoreOrTransaction): Promise<SurveyStamp[]> {
  const rows = await open(store)
    .selectFrom('surveys')
    .select(['project_id', 'id', 'revision'])
    .orderBy('project_id')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ project_id, id, revision }) => ({ projectId: project_id, id, revision }))
}

/** By age, archived ones among them. */
export async function surveysOf(store: StoreOrTransaction, projectId: number): Promise<Survey[]> {
  const rows = await open(store)
    .selectFrom('surveys')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toSurvey)
}

export async function surveyWithId(
  store: StoreOrTransaction,
  projectId: number,
  id: string,
): Promise<Survey | undefined> {
  const [found] = await surveysWithIds(store, projectId, [id])
  return found
}

export async function surveysWithIds(
  store: StoreOrTransaction,
  projectId: number,
  ids: readonly string[],
): Promise<Survey[]> {
  const found: Survey[] = []
  for (const portion of inBatches(ids)) {
    const rows = await open(store)
      .selectFrom('surveys')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('id', 'in', portion)
      .execute()
    found.push(...rows.map(toSurvey))
  }
  return found
}

/** The oldest first. */
export async function versionsOf(
  store: StoreOrTransaction,
  projectId: number,
  surveyId: string,
): Promise<SurveyVersion[]> {
  const rows = await open(store)
    .selectFrom('survey_versions')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('survey_id', '=', surveyId)
    .orderBy('version')
    .execute()
  return rows.map(toVersion)
}

/** Writes the survey and the content of its version, which the next save of the same version replaces. */
export async function saveSurvey(store: StoreOrTransaction, survey: Survey): Promise<void> {
  const columns = {
    name: survey.name,
    definition: definitionText(survey),
    version: survey.version,
    revision: survey.revision,
    starts_at: isoOrNull(survey.startsAt),
    ends_at: isoOrNull(survey.endsAt),
    archived_at: isoOrNull(survey.archivedAt),
    changed_by: survey.changedBy,
    changed_at: survey.changedAt.toISOString(),
  }
  await open(store)
    .insertInto('surveys')
    .values({
      project_id: survey.projectId,
      id: survey.id,
      created_by: survey.createdBy,
      created_at: survey.createdAt.toISOString(),
      ...columns,
    })
    .onConflict((conflict) => conflict.columns(['project_id', 'id']).doUpdateSet(columns))
    .execute()
}

export async function saveVersion(
  store: StoreOrTransaction,
  { projectId }: Pick<Survey, 'projectId'>,
  { surveyId, version, content, createdBy, createdAt }: SurveyVersion,
): Promise<void> {
  const columns = {
    content: JSON.stringify(content),
    created_by: createdBy,
    created_at: createdAt.toISOString(),
  }
  await open(store)
    .insertInto('survey_versions')
    .values({ project_id: projectId, survey_id: surveyId, version, ...columns })
    .onConflict((conflict) => conflict.columns(['project_id', 'survey_id', 'version']).doUpdateSet(columns))
    .execute()
}

/** Takes its versions and links with it. */
export async function forgetSurvey(
  store: StoreOrTransaction,
  { projectId, id }: Pick<Survey, 'projectId' | 'id'>,
): Promise<void> {
  await open(store).deleteFrom('surveys').where('project_id', '=', projectId).where('id', '=', id).execute()
}
