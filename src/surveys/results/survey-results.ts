import { z } from 'zod'
import type { AnswerState } from '#insights/waiting-events'
import type { Insights } from '#insights/ask'
import { labelOf, nameOf, type PersonLabel } from '#insights/people/person-label'
import { profilesOf } from '#insights/people/person-list'
import { figuresOf } from '#insights/kinds/survey/figures'
import type { VersionSpec } from '#insights/kinds/survey/schema'
import type { QueryScope } from '#insights/scope'
import {
  eventsInSlice,
  eventsOfSubmissions,
  latestSubmissions,
  latestTexts,
  type ListedSubmissionsQuery,
  respondentProperties,
  type SubmissionEvent,
  type TextsOfQuestion,
  submissionSlices,
} from '#insights/kinds/survey/responses'
import { may, operator, requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { failedOutcome, type Outcome, parseInput } from '#projects/problems'
import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import { versionsIn } from '../internal/store'
import type { Survey, SurveyVersion } from '../survey'
import type { ExportContent } from './export-rows'
import { frequentPhrases, type Phrase } from './phrases'
import {
  type ResponsesFilter,
  responsesFilter,
  responsesInput,
  resultsInput,
  type ResultsInput,
  tagsInput,
} from './results-input'
import { hiddenFieldsOf, responsesFrom, type SurveyResponse } from './responses'
import { resultsPage, type SurveyResultsPage } from './results-page'
import { rowFigures, type SurveyRowFigures } from './row-figures'
import {
  forgetRemoval,
  removedSubmissionsIn,
  removedSubmissionsOf,
  saveRemoval,
  saveTags,
  tagsOf,
} from './internal/store'
import { versionSpecs } from './internal/version-specs'

interface SurveyResultsDependencies {
  surveys: {
    list: (projectId: number, viewer: Viewer) => Promise<Survey[]>
    find: (projectId: number, id: string, viewer: Viewer) => Promise<Survey | undefined>
    versions: (projectId: number, id: string, viewer: Viewer) => Promise<SurveyVersion[]>
  }
  insights: Pick<Insights, 'ask' | 'scope'>
  store: Store
  world: World
}

/** A survey, and what decides how its answers are counted. */
interface SurveyToRead {
  survey: Survey
  versions: SurveyVersion[]
  base: { survey: string; removed: string[]; versions: VersionSpec[] }
  /** The names of its hidden fields. */
  fields: string[]
  /** The tags of each submission. */
  tags: ReadonlyMap<string, readonly string[]>
}

/** An answer to a question without choices, and the submission that it came in. */
export interface GivenText {
  response: string
  text: string
  answeredAt: string
}

/** A text with the context that the rest of its submission gives. */
export interface ListedText extends GivenText {
  /** The name of the person; absent for readers who may not see persons. */
  personName: string | undefined
  personLabel: PersonLabel | undefined
  /** The answer to the first rating of the survey. */
  rating: number | undefined
}

const missing = failedOutcome('There is no such survey in this project.')
const noResponse = failedOutcome('There is no such response to this survey.')

type RemovalAction = 'survey.remove-response' | 'survey.restore-response'

/** The number and the length of the ids that a question takes. */
const mostRemoved = 10_000
const longestId = 300
/** Submissions that are listed beside another one of the same person. */
const mostOfPerson = 20
/** Texts whose words are counted: the latest ones. */
const mostTexts = 5000
/** Texts that are listed beside the phrases. */
const mostListedTexts = 20
/** Properties of persons that have a column in an export: those that most of them have. */
const mostPersonProperties = 50
/** Events of submissions that are read at once for an export. */
const sliceEvents = 20_000

/** Reads with rights of its own: a key that may see results need not have the right to see all events. */
const reader = operator('survey results')

/** Reads the answers to surveys, as counts and one by one. */
export class SurveyResults {
  constructor(private readonly dependencies: SurveyResultsDependencies) {}

  /** Counts the answers, and finds the frequent phrases of texts. */
  async results(
    projectId: number,
    surveyId: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ results: SurveyResultsPage & AnswerState }>> {
    requireRight('surveys:read', projectId, viewer)
    const parsed = parseInput(resultsInput, input ?? {})
    if (!parsed.done) return parsed
    const found = await this.read(projectId, surveyId)
    if (!found) return missing
    const outcome = await this.count(projectId, found, parsed.value)
    if (!outcome.done) return outcome
    const { results } = outcome
    const scope = await this.dependencies.insights.scope(projectId, reader)
    const questions = await Promise.all(
      results.questions.map(async (one) => {
        if (one.kind !== 'open') return one
        const { interval: _interval, breakdown: _breakdown, limit: _limit, ...filters } = parsed.value
        const given = await textsOf(one.id, found, filters, scope)
        return { ...one, phrases: frequentPhrases(given.map(({ text }) => text)) }
      }),
    )
    return { done: true, results: { ...results, questions } }
  }

  /** Counts the answers without reading texts. */
  async counts(
    projectId: number,
    surveyId: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ results: SurveyResultsPage & AnswerState }>> {
    requireRight('surveys:read', projectId, viewer)
    const parsed = parseInput(resultsInput, input ?? {})
    if (!parsed.done) return parsed
    const found = await this.read(projectId, surveyId)
    return found ? await this.count(projectId, found, parsed.value) : missing
  }

  /** Counts the answers of all time to the launched surveys of a project, for a list of them. */
  async figures(projectId: number, viewer: Viewer): Promise<Map<string, SurveyRowFigures>> {
    requireRight('surveys:read', projectId, viewer)
    const { surveys, insights, store } = this.dependencies
    const launched = (await surveys.list(projectId, reader)).filter(({ startsAt }) => startsAt)
    const versions = Map.groupBy(await versionsIn(store, projectId), ({ surveyId }) => surveyId)
    const removed = Map.groupBy(await removedSubmissionsIn(store, projectId), ({ surveyId }) => surveyId)
    const listed = launched.map(({ id, content }) => ({
      survey: id,
      versions: versionSpecs(versions.get(id) ?? []),
      removed: (removed.get(id) ?? []).map(({ submission }) => submission),
      rating: content.questions.find(({ kind }) => kind === 'rating')?.id,
    }))
    const figures = await figuresOf(listed, await insights.scope(projectId, reader))
    return new Map([...figures].map(([id, counted]) => [id, rowFigures(counted)]))
  }

  /** Returns the latest texts that were given to a question, and the phrases that are frequent in them. */
  async texts(
    projectId: number,
    surveyId: string,
    questionId: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ phrases: Phrase[]; latest: ListedText[] }>> {
    requireRight('surveys:read', projectId, viewer)
    const parsed = parseInput(responsesFilter, input ?? {})
    if (!parsed.done) return parsed
    const found = await this.read(projectId, surveyId)
    if (!found) return missing
    const scope = await this.dependencies.insights.scope(projectId, reader)
    const given = await textsOf(questionId, found, parsed.value, scope)
    return {
      done: true,
      phrases: frequentPhrases(given.map(({ text }) => text)),
      latest: await this.listedTexts(given.slice(0, mostListedTexts), found, { projectId, viewer, scope }),
    }
  }

  /** Adds to texts who wrote them, and how they rated. */
  private async listedTexts(
    given: readonly GivenText[],
    found: SurveyToRead,
    { projectId, viewer, scope }: { projectId: number; viewer: Viewer; scope: QueryScope },
  ): Promise<ListedText[]> {
    const ids = given.map(({ response }) => response)
    const query = listedBy(found, everything)
    const read = readResponses(await eventsOfSubmissions(query, scope, ids), found)
    const responses = may('events:read', projectId, viewer) ? await withPersons(read, scope) : read
    const byId = new Map(responses.map((one) => [one.id, one]))
    const ratings = new Set(
      found.versions.flatMap(({ content }) =>
        content.questions.flatMap(({ id, kind }) => (kind === 'rating' ? [id] : [])),
      ),
    )
    return given.map((one) => {
      const { personName, personLabel, answers = [] } = byId.get(one.response) ?? {}
      const rating = answers.find(({ question }) => ratings.has(question))?.answer
      return { ...one, personName, personLabel, rating: typeof rating === 'number' ? rating : undefined }
    })
  }

  /** Returns submissions, those answered last first; `cursor` leads to the next ones. */
  async responses(
    projectId: number,
    surveyId: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ responses: SurveyResponse[]; cursor: string | undefined }>> {
    requireRight('surveys:read', projectId, viewer)
    const parsed = parseInput(responsesInput, input ?? {})
    if (!parsed.done) return parsed
    const found = await this.read(projectId, surveyId)
    if (!found) return missing
    const { limit, cursor, ...filters } = parsed.value
    const query = listedBy(found, filters)
    const scope = await this.dependencies.insights.scope(projectId, reader)
    const page = await latestSubmissions(query, scope, { limit: limit + 1, after: cursorFrom(cursor) })
    const shown = page.slice(0, limit)
    const ids = shown.map(({ submission }) => submission)
    const read = readResponses(await eventsOfSubmissions(query, scope, ids), found)
    const responses = may('events:read', projectId, viewer) ? await withPersons(read, scope) : read
    const last = page.length > limit ? shown.at(-1) : undefined
    const place = new Map(ids.map((id, i) => [id, i]))
    return {
      done: true,
      responses: responses.toSorted((one, other) => (place.get(one.id) ?? 0) - (place.get(other.id) ?? 0)),
      cursor: last && `${last.atMs} ${last.submission}`,
    }
  }

  /** Reads one submission, also one that was removed from the results. */
  async response(
    projectId: number,
    surveyId: string,
    id: string,
    viewer: Viewer,
  ): Promise<Outcome<{ response: SurveyResponse; isRemoved: boolean }>> {
    requireRight('surveys:read', projectId, viewer)
    const found = await this.read(projectId, surveyId)
    if (!found) return missing
    const scope = await this.dependencies.insights.scope(projectId, reader)
    const asked = { ...listedBy(found, everything), removed: [] }
    const [response] = readResponses(await eventsOfSubmissions(asked, scope, [id]), found)
    return response ? { done: true, response, isRemoved: found.base.removed.includes(id) } : noResponse
  }

  /** Returns the latest submissions of one person, those answered last first. */
  async responsesOfPerson(
    projectId: number,
    surveyId: string,
    person: string,
    viewer: Viewer,
  ): Promise<Outcome<{ responses: SurveyResponse[] }>> {
    requireRight('surveys:read', projectId, viewer)
    const found = await this.read(projectId, surveyId)
    if (!found || !isUuid(person)) return found ? { done: true, responses: [] } : missing
    const scope = await this.dependencies.insights.scope(projectId, reader)
    const query = listedBy(found, everything)
    const latest = await latestSubmissions(query, scope, { limit: mostOfPerson, person })
    const ids = latest.map(({ submission }) => submission)
    return {
      done: true,
      responses: readResponses(await eventsOfSubmissions(query, scope, ids), found),
    }
  }

  /** Returns all submissions in portions, in no order: a survey's answers may be more than fit into memory. */
  async export(
    projectId: number,
    surveyId: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<ExportedResponses>> {
    requireRight('surveys:read', projectId, viewer)
    const parsed = parseInput(responsesFilter, input ?? {})
    if (!parsed.done) return parsed
    const found = await this.read(projectId, surveyId)
    if (!found) return missing
    const { versions, fields } = found
    const query = listedBy(found, parsed.value)
    const scope = await this.dependencies.insights.scope(projectId, reader)
    const hasPersons = may('events:read', projectId, viewer)
    // before the first portion, so that an engine that does not answer is a refusal and not a file that is cut
    const [slices, personProperties] = await Promise.all([
      submissionSlices(query, scope, sliceEvents),
      hasPersons ? respondentProperties(query, scope, mostPersonProperties) : [],
    ])
    const portions = exportedPortions(query, scope, found, { slices, hasPersons })
    return { done: true, versions, fields, personProperties, portions }
  }

  /** Takes a submission out of the results. Its events stay, and `restoreResponse` undoes it. */
  async removeResponse(projectId: number, surveyId: string, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('surveys:write', projectId, viewer)
    if (id === '' || id.length > longestId) return noResponse
    return await this.changeRemoved(projectId, surveyId, viewer, async (transaction, removed) => {
      if (removed.includes(id)) return failedOutcome('The response is removed already.')
      if (removed.length >= mostRemoved)
        return failedOutcome(`At most ${mostRemoved} responses can be removed from a survey.`)
      const { world } = this.dependencies
      await saveRemoval(transaction, { projectId, surveyId, submission: id }, viewer, world.now())
      return { done: true, action: 'survey.remove-response', submission: id }
    })
  }

  async restoreResponse(projectId: number, surveyId: string, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('surveys:write', projectId, viewer)
    return await this.changeRemoved(projectId, surveyId, viewer, async (transaction, removed) => {
      if (!removed.includes(id)) return failedOutcome('The response is not removed.')
      await forgetRemoval(transaction, { projectId, surveyId, submission: id })
      return { done: true, action: 'survey.restore-response', submission: id }
    })
  }

  /** Replaces the tags of a submission. */
  async tagResponse(
    projectId: number,
    surveyId: string,
    id: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ tags: string[] }>> {
    requireRight('surveys:write', projectId, viewer)
    const parsed = parseInput(tagsInput, input)
    if (!parsed.done) return parsed
    const { tags } = parsed.value
    if (id === '' || id.length > longestId) return noResponse
    const { store, world, surveys } = this.dependencies
    const survey = await surveys.find(projectId, surveyId, reader)
    if (!survey) return missing
    return await store.transaction(async (transaction) => {
      const before = (await tagsOf(transaction, projectId, surveyId)).get(id) ?? []
      await saveTags(transaction, { projectId, surveyId, submission: id }, tags)
      const audited = {
        action: 'survey.tag-response' as const,
        subject: survey.name,
        projectId,
        before: { submission: id, tags: before },
        after: { submission: id, tags },
      }
      await recordAudit(transaction, audited, viewer, world.now())
      return { done: true, tags }
    })
  }

  /** The tags that responses to a survey have, in alphabetical order. */
  async tags(projectId: number, surveyId: string, viewer: Viewer): Promise<string[]> {
    requireRight('surveys:read', projectId, viewer)
    const tags = await tagsOf(this.dependencies.store, projectId, surveyId)
    return [...new Set([...tags.values()].flat())].toSorted()
  }

  private async changeRemoved(
    projectId: number,
    surveyId: string,
    viewer: Viewer,
    change: (
      transaction: StoreTransaction,
      removed: readonly string[],
    ) => Promise<Outcome<{ action: RemovalAction; submission: string }>>,
  ): Promise<Outcome> {
    const { surveys, store, world } = this.dependencies
    const survey = await surveys.find(projectId, surveyId, reader)
    if (!survey) return missing
    return await store.transaction(async (transaction): Promise<Outcome> => {
      const outcome = await change(transaction, await removedSubmissionsOf(transaction, projectId, surveyId))
      if (!outcome.done) return outcome
      const { action, submission } = outcome
      const audited = { action, subject: survey.name, projectId, after: { submission } }
      await recordAudit(transaction, audited, viewer, world.now())
      return { done: true }
    })
  }

  private async count(
    projectId: number,
    found: SurveyToRead,
    input: ResultsInput,
  ): Promise<Outcome<{ results: SurveyResultsPage & AnswerState }>> {
    const { versions, base } = found
    const question = { kind: 'survey' as const, ...base, ...withTag(input, found) }
    const outcome = await this.dependencies.insights.ask(projectId, question, reader)
    if (!outcome.done) return outcome
    const { answer, at, tookMs, waitingEvents, isBehind } = outcome
    return { done: true, results: { ...resultsPage(answer, versions), at, tookMs, waitingEvents, isBehind } }
  }

  private async read(projectId: number, surveyId: string): Promise<SurveyToRead | undefined> {
    const { surveys, store } = this.dependencies
    const [survey, versions, removed, tags] = await Promise.all([
      surveys.find(projectId, surveyId, reader),
      surveys.versions(projectId, surveyId, reader),
      removedSubmissionsOf(store, projectId, surveyId),
      tagsOf(store, projectId, surveyId),
    ])
    if (!survey) return undefined
    const base = { survey: survey.id, removed, versions: versionSpecs(versions) }
    return { survey, versions, base, fields: hiddenFieldsOf(versions), tags }
  }
}

/** The responses to a survey as they are read, and what their columns are made of. */
export interface ExportedResponses extends ExportContent {
  portions: AsyncGenerator<SurveyResponse[]>
}

/** The filter for all answers, also those of tests. */
const everything = { period: 'all', answers: [], withTests: true, onlyRemoved: false }

const isUuid = (text: string): boolean => z.uuid().safeParse(text).success

/** Members give tags in the store, of which the engine knows nothing. */
const withTag = <Filters extends Pick<ResponsesFilter, 'tag'>>(
  { tag, ...filters }: Filters,
  { tags }: SurveyToRead,
): Omit<Filters, 'tag'> & { among?: string[] } => ({
  ...filters,
  ...(tag !== undefined && {
    among: [...tags].flatMap(([submission, given]) => (given.includes(tag) ? [submission] : [])),
  }),
})

const listedBy = (found: SurveyToRead, filters: ResponsesFilter): ListedSubmissionsQuery => ({
  ...found.base,
  ...withTag(filters, found),
  fields: found.fields,
  traffic: 'human',
  withoutTestAccounts: false,
})

const readResponses = (
  events: readonly SubmissionEvent[],
  { versions, tags }: Pick<SurveyToRead, 'versions' | 'tags'>,
): SurveyResponse[] =>
  responsesFrom(events, versions).map((response) => ({ ...response, tags: tags.get(response.id) ?? [] }))

/** Adds what is known of the persons. */
async function withPersons(
  responses: readonly SurveyResponse[],
  scope: QueryScope,
): Promise<SurveyResponse[]> {
  const ids = [...new Set(responses.map(({ person }) => person))]
  const profiles = ids.length > 0 ? await profilesOf(ids, scope) : undefined
  return responses.map((response) => {
    const known = profiles?.get(response.person)
    const properties = known?.properties ?? {}
    const personName = nameOf(properties, response.distinctId)
    const personLabel = labelOf(properties, known?.name_id ?? response.person)
    return { ...response, personName, personLabel, personProperties: ownProperties(properties) }
  })
}

/** Names of SDKs begin with `$`. */
const ownProperties = (properties: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith('$')))

const spanningAtOnce = 2000

async function* exportedPortions(
  query: ListedSubmissionsQuery,
  scope: QueryScope,
  found: SurveyToRead,
  {
    slices: { slices, spanning },
    hasPersons,
  }: {
    slices: Awaited<ReturnType<typeof submissionSlices>>
    hasPersons: boolean
  },
): AsyncGenerator<SurveyResponse[]> {
  const portion = async (events: Promise<SubmissionEvent[]>) => {
    const responses = readResponses(await events, found)
    return hasPersons ? await withPersons(responses, scope) : responses
  }
  for (const slice of slices) yield await portion(eventsInSlice(query, scope, slice, spanning))
  for (let at = 0; at < spanning.length; at += spanningAtOnce)
    yield await portion(eventsOfSubmissions(query, scope, spanning.slice(at, at + spanningAtOnce)))
}

async function textsOf(
  questionId: string,
  found: SurveyToRead,
  filters: ResponsesFilter,
  scope: QueryScope,
): Promise<GivenText[]> {
  const { versions } = found
  const query = listedBy(found, filters)
  const texts = await latestTexts(query, scope, textsOfQuestion(questionId, versions), mostTexts)
  return texts.map(({ submission, text, atMs }) => ({
    response: submission,
    text,
    answeredAt: new Date(atMs).toISOString(),
  }))
}

function cursorFrom(cursor: string | undefined) {
  if (cursor === undefined) return undefined
  const [atMs = ''] = cursor.split(' ')
  return { atMs: Number(atMs), submission: cursor.slice(atMs.length + 1) }
}

/** Texts are under the question's id, or in its position in any version; those of choices are known. */
function textsOfQuestion(id: string, versions: readonly SurveyVersion[]): TextsOfQuestion {
  const specs = versionSpecs(versions).flatMap(({ questions }) => questions.filter((one) => one.id === id))
  const choices = specs.flatMap(({ texts = {} }) => Object.values(texts).flat())
  return { names: textNames(id, versions), ...(choices.length > 0 && { choices: [...new Set(choices)] }) }
}

/** The properties in which a text may be: under the question's id, or in its position in any version. */
function textNames(id: string, versions: readonly SurveyVersion[]): string[] {
  const positions = versions.flatMap(({ content }) => {
    const position = content.questions.findIndex((question) => question.id === id)
    return position < 0 ? [] : [position]
  })
  const hasOnePlace = new Set(positions).size === 1
  const [position] = positions
  if (!hasOnePlace || position === undefined) return [`$survey_response_${id}`]
  return [`$survey_response_${id}`, position === 0 ? '$survey_response' : `$survey_response_${position}`]
}
