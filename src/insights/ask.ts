import { LRUCache } from 'lru-cache'
import type { ZodType } from 'zod'
import { type Engine, EngineError } from '#engine/engine'
import { projectViews, viewNames } from '#engine/project-views'
import { dateTime, render, type Sql, sql, uint } from '#engine/sql'
import { AccessRefusedError, requireRight, type Viewer } from '#projects/access'
import { type Outcome, failedOutcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Projects } from '#projects/projects'
import type { World } from '#world/world'
import type { Approximation } from './approximation'
import { AnswerCache, type AnswerGroup } from './internal/answer-cache'
import type { DailyTotal } from './compile/daily-totals'
import type {
  AnswerByKind,
  AnsweredQuery,
  ExplainedStatement,
  KindName,
  QueryByKind,
  QueryCost,
  QueryInput,
} from './answered-query'
import { type AnswerTable, hasFigures, type ParsedQuery } from './kind'
import { isKindName, kindNames, kinds, withCurrentKind } from './internal/kinds'
import { answerSettingsOf, bounceRuleOf, type ProjectAnswerSettings } from './project-settings'
import { noWaitingEvents, type WaitingEvents } from './waiting-events'
import type { Period } from './calendar/period'
import { queryPeriod } from './query-fields'
import type { SurveyQuery } from './kinds/survey/schema'
import type { QueryScope } from './scope'
import { PersonEstimates } from './internal/person-estimates'
import { ProjectBeginnings } from './internal/project-beginnings'
import { WrittenSql } from './kinds/sql/internal/written-sql'

export interface AskOptions {
  /** Bypasses the cache. */
  isFresh?: boolean
  /** Includes the statements and what they read; bypasses the cache. */
  explain?: boolean
  /** The answers that this one is shown beside: all are of one age. */
  shownIn?: AnswerGroup
  signal?: AbortSignal
  /** The time zone of the days, if it is not the project's. */
  timeZone?: string | undefined
  /** Whether the caller shows the margin of approximate numbers. Everything else that asks gets exact numbers. */
  showsMargin?: boolean
  /** The time of each statement; 30 seconds otherwise. */
  deadlineMs?: number
  /** Called with the rows that this question made the engine read: never for a cached answer. */
  onRead?: ((rows: number) => void) | undefined
}

/** A table that user-written SQL can read. */
export interface SqlTableDescription {
  name: string
  about: string
  columns: { name: string; type: string; about: string }[]
}

export interface InsightsDependencies {
  engine: Pick<Engine, 'query'>
  /** The engine for user-written SQL; absent if SQL is not offered. */
  written?: Pick<Engine, 'query' | 'runUserQuery' | 'explainSyntax'> | undefined
  projects: Pick<Projects, 'numbered'>
  world: World
  /** Returns a project's cohorts, each as a statement that selects the `person_id`s of its members. */
  cohorts: (projectId: number) => Promise<(id: string, scope: QueryScope) => Sql | undefined>
  /** Returns how the answers to a stored survey are read. */
  surveys?: (projectId: number, id: string) => Promise<StoredSurvey | undefined>
  /** Returns the submissions that were taken out of the results of the project's surveys. */
  removedSubmissions?: (projectId: number) => Promise<readonly string[]>
  /** Totals of days whose events were deleted, and the first of these days. */
  dailyTotals?: {
    within: (projectId: number, period: Period) => Promise<DailyTotal[]>
    first: (projectId: number) => Promise<Date | undefined>
  }
  /** Returns how many events are not stored yet. */
  waiting?: (projectId: number) => WaitingEvents
  /** The number of persons up to which they are counted one by one; always if absent. */
  exactUpTo?: number | undefined
}

/** The stored parts that complete a query about a survey. */
export type StoredSurvey = Pick<SurveyQuery, 'versions' | 'removed'>

const noSurvey = failedOutcome('There is no such survey in this project.', 'survey')

/** A query that was parsed by its kind. */
type ReadQuery<Kind extends KindName = KindName> = ParsedQuery<QueryByKind[Kind], AnswerByKind[Kind]>

interface InsightResult {
  waiting: WaitingEvents
  answer: AnswerByKind[KindName]
  table: AnswerTable
  approximate: Approximation | undefined
  rowsRead: number
  /** Whether the next event changes it only a little. */
  isLasting: boolean
}

/** The limits of an answer's statements, and the notes of their runs. */
interface Running {
  explained: ExplainedStatement[] | undefined
  signal: AbortSignal | undefined
  deadlineMs: number | undefined
  rowsRead: number
}

const plainRun = (): Running => ({
  explained: undefined,
  signal: undefined,
  deadlineMs: undefined,
  rowsRead: 0,
})

/**
 * Answers queries, for pages, dashboards, exports, alerts and the API.
 *
 * @example
 * const outcome = await product.insights.ask(project.id, { kind: 'totals', period: '7d' }, viewer)
 * if (outcome.done) show(outcome.answer)
 */
export class Insights {
  private readonly cache: AnswerCache<Outcome<InsightResult>>
  private readonly written: WrittenSql | undefined
  private readonly beginnings: ProjectBeginnings
  private readonly estimates: PersonEstimates
  /** The costs of periods, for a minute. */
  private readonly costs = new LRUCache<string, QueryCost>({ max: 500, ttl: 60_000 })

  constructor(private readonly dependencies: InsightsDependencies) {
    this.cache = new AnswerCache(
      () => dependencies.world.now(),
      (outcome) => outcome.done && outcome.isLasting,
    )
    this.beginnings = new ProjectBeginnings(dependencies)
    this.estimates = new PersonEstimates(dependencies)
    this.written = dependencies.written && new WrittenSql(dependencies.written)
  }

  /** Returns the currency and week start of a project's answers. */
  settingsOf(project: Pick<Project, 'answers'>): ProjectAnswerSettings {
    return answerSettingsOf(project)
  }

  /** Parses a query by its kind without asking it. */
  read(input: unknown): Outcome<{ question: QueryByKind[KindName] }> {
    const read = readQuery(input)
    return read.done ? { done: true, question: read.ready.query } : read
  }

  /** The query says its kind, and the answer is of that kind. */
  ask<Kind extends KindName>(
    projectId: number,
    query: QueryInput<Kind>,
    viewer: Viewer,
    options?: AskOptions,
  ): Promise<Outcome<AnsweredQuery<Kind>>>
  ask(
    projectId: number,
    input: unknown,
    viewer: Viewer,
    options?: AskOptions,
  ): Promise<Outcome<AnsweredQuery>>
  async ask(
    projectId: number,
    input: unknown,
    viewer: Viewer,
    {
      isFresh = false,
      explain = false,
      shownIn,
      signal,
      timeZone,
      showsMargin = false,
      deadlineMs,
      onRead,
    }: AskOptions = {},
  ): Promise<Outcome<AnsweredQuery>> {
    requireRight('events:read', projectId, viewer)
    if (explain) requireRight('sql:read', projectId, viewer)
    const read = readQuery(input)
    if (!read.done) return read
    const completed = await this.withStoredSurvey(projectId, read.ready)
    if (!completed.done) return completed
    const ready = countingExactly(completed.ready, !showsMargin)
    if (ready.right) requireRight(ready.right, projectId, viewer)
    const own = this.project(projectId)
    const project = timeZone === undefined ? own : { ...own, timeZone }
    const explained: ExplainedStatement[] = []
    const running = { ...plainRun(), explained: explain ? explained : undefined, signal, deadlineMs }
    const find = () =>
      this.answer(ready, project, running).finally(() => {
        onRead?.(running.rowsRead)
      })
    const kept = await this.cache.find(keyOf(project, ready), find, isFresh || explain, shownIn)
    return kept.value.done
      ? {
          done: true,
          question: ready.query,
          ...answered({ ...kept, value: kept.value }),
          ...(explain && { explained }),
        }
      : kept.value
  }

  /** Returns what an answer depends on besides the events: the query, and the settings of the project. */
  keyOf(projectId: number, input: unknown, viewer: Viewer): Outcome<{ key: string }> {
    requireRight('events:read', projectId, viewer)
    const read = readQuery(input)
    return read.done ? { done: true, key: keyOf(this.project(projectId), read.ready) } : read
  }

  /**
   * Returns what a query costs at least: the events of its period, by the index. For SQL these are none, since a statement
   * says in its own words which days it reads.
   */
  async expectedCost(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ cost: QueryCost }>> {
    requireRight('events:read', projectId, viewer)
    const read = readQuery(input)
    if (!read.done) return read
    const { query } = read.ready
    if (query.kind === 'sql') return { done: true, cost: { rows: 0, days: 0 } }
    const key = `${projectId} ${query.period}`
    const known = this.costs.get(key)
    if (known) return { done: true, cost: known }
    const scope = await this.scopeOf(this.project(projectId))
    const { from, until } = await queryPeriod(query, scope)
    const parts = await scope.run<{ rows: number }>(sql`
      explain estimate
      select timestamp from events
      where project_id = ${uint(projectId)} and timestamp >= ${dateTime(from)} and timestamp < ${dateTime(until)}`)
    const rows = parts.reduce((sum, part) => sum + part.rows, 0)
    const cost = { rows, days: (until.getTime() - from.getTime()) / 86_400_000 }
    this.costs.set(key, cost)
    return { done: true, cost }
  }

  /** Returns the group of answers that a page of this name shows beside each other. */
  answersOf(projectId: number, page: string): AnswerGroup {
    return this.cache.group(`${projectId} ${page}`)
  }

  /** Returns the statement that selects the persons behind one number. */
  async peopleBehind(
    projectId: number,
    input: unknown,
    point: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ statement: Sql; scope: QueryScope }>> {
    requireRight('events:read', projectId, viewer)
    const read = readQuery(input)
    if (!read.done) return read
    const completed = await this.withStoredSurvey(projectId, read.ready)
    if (!completed.done) return completed
    const { right, personsBehind } = completed.ready
    if (right) requireRight(right, projectId, viewer)
    if (!personsBehind) return failedOutcome('This kind of insight does not list persons.')
    const scope = await this.countingScope(this.project(projectId))
    const outcome = await personsBehind(point, scope)
    return outcome.done ? { done: true, statement: outcome.statement, scope } : outcome
  }

  /** Returns the tables that user-written SQL can read. */
  tables(projectId: number, viewer: Viewer): SqlTableDescription[] {
    requireRight('sql:read', projectId, viewer)
    return viewNames.map((name) => {
      const { about, columns } = projectViews[name]
      return {
        name,
        about,
        columns: Object.entries(columns).map(([column, told]) => ({ name: column, ...told })),
      }
    })
  }

  /** Returns the scope for queries outside insights: lists of persons, names of properties. */
  async scope(projectId: number, viewer: Viewer): Promise<QueryScope> {
    requireRight('events:read', projectId, viewer)
    return await this.scopeOf(this.project(projectId))
  }

  /** Cards and callers name a survey; how its answers are read changes with it. */
  private async withStoredSurvey(
    projectId: number,
    ready: ReadQuery,
  ): Promise<Outcome<{ ready: ReadQuery }>> {
    const { query } = ready
    if (query.kind !== 'survey' || query.versions.length > 0) return { done: true, ready }
    const stored = await this.dependencies.surveys?.(projectId, query.survey)
    return stored ? readQuery({ ...query, ...stored }) : noSurvey
  }

  private project(projectId: number): Project {
    const project = this.dependencies.projects.numbered(projectId)
    if (!project) throw new AccessRefusedError('not-found', 'There is no such project.')
    return project
  }

  private async answer(
    ready: ReadQuery,
    project: Project,
    running: Running,
  ): Promise<Outcome<InsightResult>> {
    const waiting = this.dependencies.waiting?.(project.id) ?? noWaitingEvents
    try {
      const scope = await this.countingScope(project, running)
      const approximate = await this.estimates.approximationOf(ready, scope)
      const outcome = await ready.answer({ ...scope, isApproximate: approximate !== undefined })
      if (!outcome.done) return outcome
      return {
        ...outcome,
        approximate,
        waiting,
        rowsRead: running.rowsRead,
        isLasting: hasFigures(outcome.table) && !(await this.beginnings.isFirstDay(project.id)),
      }
    } catch (problem) {
      throw asQueryError(problem)
    }
  }

  /** Numbers leave out what was taken out of results; lists of persons and their events show it. */
  private async countingScope(project: Project, running?: Running): Promise<QueryScope> {
    const [scope, removedSubmissions] = await Promise.all([
      this.scopeOf(project, running),
      this.dependencies.removedSubmissions?.(project.id),
    ])
    return { ...scope, ...(removedSubmissions && { removedSubmissions }) }
  }

  private async scopeOf(project: Project, running = plainRun()): Promise<QueryScope> {
    const { id: projectId, timeZone } = project
    const { weekStart, testAccounts, currency, pageGroups } = answerSettingsOf(project)
    const run = <Row>(statement: Sql) => this.run<Row>(projectId, statement, running)
    const { dailyTotals } = this.dependencies
    const [hasMerged, cohorts] = await Promise.all([
      hasMergedPersons(projectId, run),
      this.dependencies.cohorts(projectId),
    ])
    const scope: QueryScope = {
      projectId,
      calendar: { timeZone, weekStart, now: this.dependencies.world.now() },
      currency,
      hasMerged,
      testAccounts,
      bounceRule: bounceRuleOf(project),
      pageGroups,
      cohort: (id) => cohorts(id, scope),
      isFirstDay: () => this.beginnings.isFirstDay(projectId),
      firstEventAt: async () => (await dailyTotals?.first(projectId)) ?? (await firstEventOf(projectId, run)),
      ...(dailyTotals && { dailyTotals: (period: Period) => dailyTotals.within(projectId, period) }),
      run,
      ...(this.written && {
        written: this.writtenSqlRunner(this.written, { projectId, hasMerged }, running),
      }),
    }
    return scope
  }

  private writtenSqlRunner(
    written: WrittenSql,
    project: { projectId: number; hasMerged: boolean },
    running: Running,
  ): NonNullable<QueryScope['written']> {
    return async (text, period) => {
      const beganAt = performance.now()
      const outcome = await written.ask({ ...project, text, period }, running.signal)
      if (!outcome.done) return outcome
      const { rows, bytes } = outcome.answer.read
      const tookMs = performance.now() - beganAt
      running.rowsRead += rows
      running.explained?.push({
        sql: text,
        parameters: { ...period },
        rowsRead: rows,
        bytesRead: bytes,
        tookMs,
      })
      return outcome
    }
  }

  private async run<Row>(projectId: number, statement: Sql, running: Running): Promise<Row[]> {
    const { explained, signal, deadlineMs } = running
    const beganAt = performance.now()
    const seen = { rows: 0, bytes: 0 }
    const rows = await this.dependencies.engine.query<Row>(statement, {
      lane: 'dashboard',
      projectId,
      ...(signal && { signal }),
      ...(deadlineMs !== undefined && { deadlineMs }),
      onReadStats: (read) => Object.assign(seen, read),
    })
    running.rowsRead += seen.rows
    const { text, parameters } = render(statement)
    const tookMs = performance.now() - beganAt
    explained?.push({
      sql: text,
      parameters: asJson(parameters),
      rowsRead: seen.rows,
      bytesRead: seen.bytes,
      tookMs,
    })
    return rows
  }
}

/** A query whose persons are counted one by one, if `isExact`. */
const countingExactly = (ready: ReadQuery, isExact: boolean): ReadQuery =>
  isExact ? { ...ready, counted: [] } : ready

function answered({ value, at, tookMs }: { value: InsightResult; at: Date; tookMs: number }) {
  const { answer, table, approximate, rowsRead, waiting } = value
  return { answer, table, ...(approximate && { approximate }), rowsRead, at, tookMs, ...waiting }
}

/** Converts parameters to JSON, which has no large integers. */
function asJson(parameters: Record<string, unknown>): Record<string, unknown> {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain)
    if (typeof value !== 'bigint') return value
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  }
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, plain(value)]))
}

/** Sentences for limits that the operator sets: the query is valid, and a smaller one may be answered. */
const limitSentences: Partial<Record<EngineError['failure'], string>> = {
  deadline: 'The query took longer than 30 seconds. Choose a shorter date range, or add filters.',
  memory: 'The query needs more memory than the engine may use. Choose a shorter date range, or add filters.',
}

function asQueryError(problem: unknown): unknown {
  const sentence = problem instanceof EngineError && limitSentences[problem.failure]
  if (!sentence) return problem
  return new EngineError(problem.failure, sentence, { cause: problem.cause, code: problem.code })
}

/** The schema of a kind of query, under an earlier name of it too. */
export function querySchema(kind: unknown): ZodType | undefined {
  const current = withCurrentKind({ kind }).kind
  return isKindName(current) ? kinds[current].query : undefined
}

/** Parses a query by the kind that it says. */
export function readQuery<Kind extends KindName>(query: QueryInput<Kind>): Outcome<{ ready: ReadQuery<Kind> }>
export function readQuery(input: unknown): Outcome<{ ready: ReadQuery }>
export function readQuery(input: unknown): Outcome<{ ready: ReadQuery }> {
  if (typeof input === 'object' && input !== null && 'kind' in input) {
    const query = withCurrentKind(input)
    if (isKindName(query.kind)) return kinds[query.kind].read(query)
  }
  return failedOutcome(`Say which kind of question it is: ${kindNames.join(', ')}.`, 'kind')
}

/** The cache key includes the project's settings, because they affect the answer. */
const keyOf = (project: Project, { query, counted }: ReadQuery): string =>
  JSON.stringify([project.id, project.timeZone, project.answers, query, counted.length > 0])

async function hasMergedPersons(projectId: number, run: QueryScope['run']): Promise<boolean> {
  const found = await run(sql`
    select 1 from person_overrides where project_id = ${uint(projectId)} limit 1`)
  return found.length > 0
}

async function firstEventOf(projectId: number, run: QueryScope['run']): Promise<Date | undefined> {
  const [row] = await run<{ first: string; events: number }>(sql`
    select min(timestamp) as first, count() as events
    from events
    where project_id = ${uint(projectId)}`)
  return row && row.events > 0 ? new Date(row.first) : undefined
}
