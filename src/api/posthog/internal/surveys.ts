import { mainEnvironment } from '#flags/flag'
import type { Outcome } from '#projects/problems'
import type { Survey } from '#surveys/survey'
import {
  authorBody,
  instantText,
  listed,
  missing,
  pageParameters,
  type PosthogCall,
  type PosthogEndpoint,
  type PosthogOutcome,
  refused,
  success,
  unknownField,
  withoutFields,
} from './endpoint'
import { flagOf } from './flags'

type Flags = Awaited<ReturnType<PosthogCall['product']['flags']['list']>>

function surveyBody({ product }: PosthogCall, survey: Survey, flags: Flags) {
  const form = product.surveys.posthogFormOf(survey)
  const linked = flags.find(({ key }) => key === form.linked_flag_key)
  return {
    ...form,
    // PostHog's MCP server takes an absent condition, and no null
    conditions: Object.fromEntries(Object.entries(form.conditions).filter(([, value]) => value !== null)),
    start_date: instantText(survey.startsAt),
    end_date: instantText(survey.endsAt),
    created_by: authorBody(survey.createdBy),
    updated_at: survey.changedAt.toISOString(),
    linked_flag: linked
      ? {
          id: linked.id,
          key: linked.key,
          name: linked.description,
          active: linked.environments[mainEnvironment]?.isOn === true,
        }
      : null,
    linked_flag_id: linked?.id ?? null,
    linked_insight_id: null,
    targeting_flag: form.targeting_flag_filters && { filters: form.targeting_flag_filters },
    internal_targeting_flag: null,
  }
}

const flagsIn = async ({ product, project, viewer }: PosthogCall): Promise<Flags> =>
  await product.flags.list(project.id, viewer)

const shown = async (call: PosthogCall, survey: Survey): Promise<PosthogOutcome> =>
  success(surveyBody(call, survey, await flagsIn(call)))

/** Fields that PostHog computes, or that decide neither who is asked nor what. */
const ignoredFields: ReadonlySet<string> = new Set([
  'id',
  'created_at',
  'created_by',
  'updated_at',
  'linked_flag',
  'linked_insight',
  'linked_insight_id',
  'targeting_flag',
  'internal_targeting_flag',
  'feature_flag_keys',
  'current_iteration',
  'current_iteration_start_date',
  'iteration_start_dates',
  'form_content',
  'user_access_level',
  '_create_in_folder',
])

const contentFields = [
  'name',
  'description',
  'type',
  'questions',
  'conditions',
  'appearance',
  'translations',
  'schedule',
  'iteration_count',
  'iteration_frequency_days',
  'responses_limit',
  'end_date',
  'enable_partial_responses',
  'enable_iframe_embedding',
  'targeting_flag_filters',
] as const

const stateFields = [
  'start_date',
  'archived',
  'linked_flag_id',
  'targeting_flag_id',
  'remove_targeting_flag',
] as const

const surveyFields: ReadonlySet<string> = new Set([...contentFields, ...stateFields])

interface SurveyInput {
  /** Fields in PostHog's form, which `surveys` translates. */
  fields: Record<string, unknown>
  /** Null takes a start back that is still to come. */
  startsAt: Date | null | undefined
  archived: boolean | undefined
}

/** PostHog asks a sample of answers by these. */
const isOfSampling = (field: string): boolean => field.startsWith('response_sampling_')

async function inputOf(call: PosthogCall): Promise<Outcome<SurveyInput>> {
  const present = Object.fromEntries(
    Object.entries(withoutFields(call.input, ignoredFields)).filter(
      ([field, value]) =>
        value !== null ||
        !(isOfSampling(field) || field === 'targeting_flag_id' || field === 'targeting_flag_filters'),
    ),
  )
  const sampled = Object.keys(present).find(isOfSampling)
  if (sampled !== undefined)
    return refused('Tilth asks no samples. Limit the answers by responses_limit.', sampled)
  const unknown = unknownField(present, surveyFields)
  if (unknown) return unknown
  const { start_date, archived, linked_flag_id, targeting_flag_id, remove_targeting_flag, ...fields } =
    present
  if (targeting_flag_id !== undefined)
    return refused('A survey has one flag here. Link it by linked_flag_id.', 'targeting_flag_id')
  const startsAt = momentOf(start_date)
  if (startsAt && Number.isNaN(startsAt.getTime()))
    return refused('Give the start as 2026-03-02T10:00:00Z.', 'start_date')
  const linked = await linkedFlag(call, linked_flag_id)
  if (!linked.done) return linked
  const isRecurring =
    fields['schedule'] === undefined &&
    [fields['iteration_count'], fields['iteration_frequency_days']].every((one) => typeof one === 'number')
  return {
    done: true,
    fields: {
      ...fields,
      ...linked.fields,
      ...(isRecurring && { schedule: 'recurring' }),
      ...(remove_targeting_flag === true && { targeting_flag_filters: { groups: [] } }),
    },
    startsAt,
    archived: typeof archived === 'boolean' ? archived : undefined,
  }
}

function momentOf(given: unknown): Date | null | undefined {
  if (given === undefined || given === null) return given
  return new Date(typeof given === 'string' ? given : Number.NaN)
}

/** PostHog names the linked flag by its number. */
async function linkedFlag(call: PosthogCall, id: unknown): Promise<Outcome<{ fields: object }>> {
  if (id === undefined) return { done: true, fields: {} }
  if (id === null) return { done: true, fields: { linked_flag_key: null } }
  const flag = typeof id === 'number' ? await flagOf(call, String(id)) : undefined
  return flag
    ? { done: true, fields: { linked_flag_key: flag.key } }
    : refused(`There is no flag ${JSON.stringify(id)} in this project.`, 'linked_flag_id')
}

type SurveyOutcome = Outcome<{ survey: Survey }>

async function createSurvey(call: PosthogCall): Promise<PosthogOutcome> {
  const read = await inputOf(call)
  if (!read.done) return read
  const { product, project, viewer } = call
  const keepsConditions = true
  const created = await product.surveys.importFrom(project.id, read.fields, undefined, viewer, {
    keepsConditions,
  })
  if (!created.done) return created
  const outcome = await withState(call, created.survey, read)
  return outcome.done ? await shown(call, outcome.survey) : outcome
}

async function changeSurvey(call: PosthogCall): Promise<PosthogOutcome> {
  const survey = await surveyOf(call)
  if (!survey) return missing
  const read = await inputOf(call)
  if (!read.done) return read
  const { product, project, viewer } = call
  if (survey.archivedAt && read.archived === false) {
    const restored = await product.surveys.restore(project.id, survey.id, viewer)
    if (!restored.done) return restored
  }
  const changed: SurveyOutcome =
    Object.keys(read.fields).length > 0
      ? await product.surveys.changeFromPosthog(project.id, survey.id, read.fields, viewer)
      : { done: true, survey: (await surveyOf(call)) ?? survey }
  if (!changed.done) return changed
  const outcome = await withState(call, changed.survey, read)
  return outcome.done ? await shown(call, outcome.survey) : outcome
}

/** Launches and archives a survey, as its dates say in PostHog. */
async function withState(
  call: PosthogCall,
  survey: Survey,
  { startsAt, archived }: SurveyInput,
): Promise<SurveyOutcome> {
  const { product, project, viewer } = call
  const started = await withStart(call, survey, startsAt)
  if (!started.done || archived !== true || survey.archivedAt) return started
  return await product.surveys.archive(project.id, survey.id, viewer)
}

async function withStart(
  { product, project, viewer, now }: PosthogCall,
  survey: Survey,
  startsAt: Date | null | undefined,
): Promise<SurveyOutcome> {
  if (startsAt === undefined || startsAt?.getTime() === survey.startsAt?.getTime())
    return { done: true, survey }
  if (startsAt !== null && !survey.startsAt)
    return await product.surveys.launch(project.id, survey.id, { at: startsAt.toISOString() }, viewer)
  if (startsAt !== null) return refused('The survey is launched, and its start stays.', 'start_date')
  if (!survey.startsAt) return { done: true, survey }
  return survey.startsAt > now
    ? await product.surveys.stop(project.id, survey.id, viewer)
    : refused('The survey has begun. End it by end_date.', 'start_date')
}

/** Removes a draft. A survey that was launched may have answers, and is archived. */
async function removeSurvey(call: PosthogCall): Promise<PosthogOutcome> {
  const survey = await surveyOf(call)
  if (!survey) return missing
  if (survey.archivedAt) return success(undefined)
  const { product, project, viewer } = call
  const outcome = survey.startsAt
    ? await product.surveys.archive(project.id, survey.id, viewer)
    : await product.surveys.remove(project.id, survey.id, viewer)
  return outcome.done ? success(undefined) : outcome
}

const surveyOf = async ({ product, project, viewer, part }: PosthogCall): Promise<Survey | undefined> =>
  await product.surveys.find(project.id, part('survey'), viewer)

interface SurveyCounts {
  shown: number
  reached: number
  sent: number
  answeredBy: number
  dismissed: number
}

/** The counts of one survey; robots and removed answers are left out, as in its results. */
async function countsOf(call: PosthogCall, survey: Survey): Promise<Outcome<{ counts: SurveyCounts }>> {
  const { product, project, viewer, query, now } = call
  const [from, until] = [query.get('date_from'), query.get('date_to')].map((text) =>
    text ? new Date(text) : undefined,
  )
  if ([from, until].some((moment) => moment && Number.isNaN(moment.getTime())))
    return refused('Give times as 2026-03-02T10:00:00Z.', 'date_from')
  const period =
    from || until ? `${(from ?? survey.createdAt).toISOString()}..${(until ?? now).toISOString()}` : 'all'
  const outcome = await product.surveys.results.counts(project.id, survey.id, { period }, viewer)
  if (!outcome.done) return outcome
  const { shown: views, reached, answered, submissions } = outcome.results
  const { responded: sent, dismissed } = submissions
  return { done: true, counts: { shown: views, reached, sent, answeredBy: answered, dismissed } }
}

const percentOf = (part: number, whole: number): number =>
  whole > 0 ? Math.round((part / whole) * 10_000) / 100 : 0

const eventStats = (total: number, persons: number | null) => ({
  total_count: total,
  unique_persons: persons,
  first_seen: null,
  last_seen: null,
})

const statsBody = (
  { shown: views, reached, sent, answeredBy, dismissed }: SurveyCounts,
  isOfOne: boolean,
) => ({
  stats: {
    'survey shown': eventStats(views, isOfOne ? reached : null),
    'survey dismissed': eventStats(dismissed, null),
    'survey sent': eventStats(sent, isOfOne ? answeredBy : null),
  },
  rates: {
    response_rate: percentOf(sent, views),
    dismissal_rate: percentOf(dismissed, views),
    unique_users_response_rate: isOfOne ? percentOf(answeredBy, reached) : null,
    unique_users_dismissal_rate: null,
  },
})

async function surveyStats(call: PosthogCall): Promise<PosthogOutcome> {
  const survey = await surveyOf(call)
  if (!survey) return missing
  const counted = await countsOf(call, survey)
  if (!counted.done) return counted
  const dates = { start_date: instantText(survey.startsAt), end_date: instantText(survey.endsAt) }
  return success({ survey_id: survey.id, ...dates, ...statsBody(counted.counts, true) })
}

/** Sums of all surveys. A person may be among those of several, so persons are not added up. */
async function allStats(call: PosthogCall): Promise<PosthogOutcome> {
  const { product, project, viewer } = call
  const sums: SurveyCounts = { shown: 0, reached: 0, sent: 0, answeredBy: 0, dismissed: 0 }
  for (const survey of (await product.surveys.list(project.id, viewer)).filter(({ startsAt }) => startsAt)) {
    const counted = await countsOf(call, survey)
    if (!counted.done) return counted
    sums.shown += counted.counts.shown
    sums.sent += counted.counts.sent
    sums.dismissed += counted.counts.dismissed
  }
  return success(statsBody(sums, false))
}

async function listSurveys(call: PosthogCall): Promise<PosthogOutcome> {
  const { product, project, viewer, query } = call
  const search = (query.get('search') ?? '').toLowerCase()
  const archived = query.get('archived')
  const all = await product.surveys.list(project.id, viewer)
  const found = all
    .filter(({ name }) => name.toLowerCase().includes(search))
    .filter(({ archivedAt }) => archived === null || String(archivedAt !== undefined) === archived)
  const flags = await flagsIn(call)
  return listed(
    call,
    found.map((survey) => surveyBody(call, survey, flags)),
  )
}

const surveyPath = '/projects/{project}/surveys/{survey}'
const dates = ['date_from', 'date_to']

export const surveyEndpoints: readonly PosthogEndpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/surveys',
    query: [...pageParameters, 'search', 'archived'],
    handle: listSurveys,
  },
  { method: 'POST', path: '/projects/{project}/surveys', status: 201, handle: createSurvey },
  { method: 'GET', path: '/projects/{project}/surveys/stats', query: dates, handle: allStats },
  {
    method: 'GET',
    path: surveyPath,
    handle: async (call) => {
      const survey = await surveyOf(call)
      return survey ? await shown(call, survey) : missing
    },
  },
  { method: 'PATCH', path: surveyPath, handle: changeSurvey },
  { method: 'DELETE', path: surveyPath, status: 204, handle: removeSurvey },
  {
    method: 'GET',
    path: `${surveyPath}/stats`,
    query: dates,
    // the address names it already
    ignoredQuery: ['survey_id'],
    handle: surveyStats,
  },
]
