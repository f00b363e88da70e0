import { type Engine, EngineError } from '../engine/engine'
import { projectViews, viewNames } from '../engine/project-views'
import { render, type Sql, sql, uint } from '../engine/sql'
import { Refused, requireRight, type Viewer } from '../projects/access'
import { type Outcome, undone } from '../projects/problems'
import type { Project } from '../projects/project'
import type { Projects } from '../projects/projects'
import type { World } from '../world/world'
import { AnswerCache } from './answer-cache'
import type { AnswerTable, ReadyQuestion } from './kind'
import { isKindName, kindNames, kinds } from './kinds'
import { answerSettingsOf, type ProjectAnswerSettings } from './project-settings'
import type { Asked, Scope } from './scope'
import { WrittenSql } from './written-sql'

export interface Answered {
  question: Asked
  answer: unknown
  table: AnswerTable
  /** As of when; an answer that took long is given again for a while. */
  at: Date
  tookMs: number
  /** Only where it was asked for. */
  explained?: Explained[]
}

/** What the engine was asked on the way to an answer. */
export interface Explained {
  sql: string
  parameters: Record<string, unknown>
  rowsRead: number
  bytesRead: number
  tookMs: number
}

export interface AskOptions {
  /** Not from what was kept. */
  isFresh?: boolean
  /** With the statements and what they read; asks anew. */
  explain?: boolean
  signal?: AbortSignal
}

/** A table as somebody who writes SQL sees it. */
export interface SqlTable {
  name: string
  about: string
  columns: { name: string; type: string; about: string }[]
}

export interface InsightsGround {
  engine: Pick<Engine, 'query'>
  /** The same engine, where people may ask it in SQL. */
  written?: Pick<Engine, 'query' | 'askWritten' | 'syntaxOf'> | undefined
  projects: Pick<Projects, 'numbered'>
  world: World
  /** Who is in a project's cohorts: each as a statement that selects `person_id`. */
  cohorts: (projectId: number) => Promise<(id: string, scope: Scope) => Sql | undefined>
}

interface Result {
  answer: unknown
  table: AnswerTable
}

/** The one way to an answer: for pages, dashboards, exports, alerts and the API. */
export class Insights {
  private readonly cache: AnswerCache<Outcome<Result>>
  private readonly written: WrittenSql | undefined

  constructor(private readonly ground: InsightsGround) {
    this.cache = new AnswerCache(() => ground.world.now())
    this.written = ground.written && new WrittenSql(ground.written)
  }

  /** In which currency and weeks a project's answers are told. */
  settingsOf(project: Pick<Project, 'answers'>): ProjectAnswerSettings {
    return answerSettingsOf(project)
  }

  /** A question as its kind reads it, not asked yet. */
  read(input: unknown): Outcome<{ question: Asked }> {
    const read = readQuestion(input)
    return read.done ? { done: true, question: read.ready.question } : read
  }

  async ask(
    projectId: number,
    input: unknown,
    viewer: Viewer,
    { isFresh = false, explain = false, signal }: AskOptions = {},
  ): Promise<Outcome<Answered>> {
    requireRight('events:read', projectId, viewer)
    if (explain) requireRight('sql:read', projectId, viewer)
    const read = readQuestion(input)
    if (!read.done) return read
    const { ready } = read
    if (ready.right) requireRight(ready.right, projectId, viewer)
    const project = this.project(projectId)
    const explained: Explained[] = []
    const find = () => this.answer(ready, project, explain ? explained : undefined, signal)
    const kept = await this.cache.find(keyOf(project, ready), find, isFresh || explain)
    if (!kept.value.done) return kept.value
    const { answer, table } = kept.value
    const { at, tookMs } = kept
    return { done: true, question: ready.question, answer, table, at, tookMs, ...(explain && { explained }) }
  }

  /** What the statement for the people behind one number is; who they are is looked up by `PersonsBehind`. */
  async peopleBehind(
    projectId: number,
    input: unknown,
    point: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ statement: Sql; scope: Scope }>> {
    requireRight('events:read', projectId, viewer)
    const read = readQuestion(input)
    if (!read.done) return read
    const { personsBehind } = read.ready
    if (!personsBehind) return undone('There are no persons behind the numbers of this kind of question.')
    const scope = await this.scopeOf(this.project(projectId))
    const outcome = await personsBehind(point, scope)
    return outcome.done ? { done: true, statement: outcome.statement, scope } : outcome
  }

  /** What can be read in SQL. */
  tables(projectId: number, viewer: Viewer): SqlTable[] {
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

  /** For what is asked about a project beside its insights: lists of persons, names of properties. */
  async scope(projectId: number, viewer: Viewer): Promise<Scope> {
    requireRight('events:read', projectId, viewer)
    return await this.scopeOf(this.project(projectId))
  }

  private project(projectId: number): Project {
    const project = this.ground.projects.numbered(projectId)
    if (!project) throw new Refused('not-found', 'There is no such project.')
    return project
  }

  private async answer(
    ready: ReadyQuestion,
    project: Project,
    explained: Explained[] | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<Result>> {
    try {
      return await ready.answer(await this.scopeOf(project, explained, signal))
    } catch (problem) {
      const sentence = problem instanceof EngineError && tooMuch[problem.failure]
      if (sentence) return undone(sentence)
      throw problem
    }
  }

  private async scopeOf(project: Project, explained?: Explained[], signal?: AbortSignal): Promise<Scope> {
    const { id: projectId, timeZone } = project
    const { weekStart, testAccounts, currency } = answerSettingsOf(project)
    const run = <Row>(statement: Sql) => this.run<Row>(statement, explained, signal)
    const [hasMerged, cohorts] = await Promise.all([
      hasMergedPersons(projectId, run),
      this.ground.cohorts(projectId),
    ])
    const scope: Scope = {
      projectId,
      calendar: { timeZone, weekStart, now: this.ground.world.now() },
      currency,
      hasMerged,
      testAccounts,
      cohort: (id) => cohorts(id, scope),
      firstEventAt: () => firstEventOf(projectId, run),
      run,
      ...(this.written && {
        written: this.writtenIn(this.written, { projectId, hasMerged }, explained, signal),
      }),
    }
    return scope
  }

  private writtenIn(
    written: WrittenSql,
    project: { projectId: number; hasMerged: boolean },
    explained?: Explained[],
    signal?: AbortSignal,
  ): NonNullable<Scope['written']> {
    return async (text, period) => {
      const beganAt = performance.now()
      const outcome = await written.ask({ ...project, text, period }, signal)
      if (!outcome.done) return outcome
      const { rows, bytes } = outcome.answer.read
      const tookMs = performance.now() - beganAt
      explained?.push({ sql: text, parameters: { ...period }, rowsRead: rows, bytesRead: bytes, tookMs })
      return outcome
    }
  }

  private async run<Row>(statement: Sql, explained?: Explained[], signal?: AbortSignal): Promise<Row[]> {
    const beganAt = performance.now()
    const seen = { rows: 0, bytes: 0 }
    const rows = await this.ground.engine.query<Row>(statement, {
      lane: 'dashboard',
      ...(signal && { signal }),
      onRead: (read) => Object.assign(seen, read),
    })
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

/** What is explained goes out as JSON, which knows no large whole numbers. */
function asJson(parameters: Record<string, unknown>): Record<string, unknown> {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain)
    if (typeof value !== 'bigint') return value
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  }
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, plain(value)]))
}

/** The engine gave up because too much was asked of it: that is for whoever asked to mend. */
const tooMuch: Partial<Record<EngineError['failure'], string>> = {
  deadline: 'This takes longer than 30 seconds to answer. Ask about a shorter period, or filter more.',
  memory:
    'This takes more memory to answer than the engine may use. Ask about a shorter period, or filter more.',
}

export function readQuestion(input: unknown): Outcome<{ ready: ReadyQuestion }> {
  const kind = typeof input === 'object' && input !== null && 'kind' in input ? input.kind : undefined
  if (isKindName(kind)) return kinds[kind].read(input)
  return undone(`Say which kind of question it is: ${kindNames.join(', ')}.`, 'kind')
}

/** With the project's settings in it: what they change, changes the answer. */
const keyOf = (project: Project, { question }: ReadyQuestion): string =>
  JSON.stringify([project.id, project.timeZone, project.answers, question])

async function hasMergedPersons(projectId: number, run: Scope['run']): Promise<boolean> {
  const found = await run(sql`
    select 1 from person_overrides where project_id = ${uint(projectId)} limit 1`)
  return found.length > 0
}

async function firstEventOf(projectId: number, run: Scope['run']): Promise<Date | undefined> {
  const [row] = await run<{ first: string; events: number }>(sql`
    select min(timestamp) as first, count() as events
    from events
    where project_id = ${uint(projectId)}`)
  return row && row.events > 0 ? new Date(row.first) : undefined
}
