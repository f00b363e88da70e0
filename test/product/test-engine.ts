import { usualBounceRule } from '#insights/bounce-rule'
import { engineTables } from '#backups/internal/engine-clone'
import { createHash } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, inject } from 'vitest'
import type { Engine } from '#engine/engine'
import { identifier, type Sql, sql } from '#engine/sql'
import { temporaryEngine } from '#engine/internal/temporary'
import type { EventColumns } from '#events/event'
import { rowOf } from '#events/row'
import { readQuery } from '#insights/ask'
import type { Calendar } from '#insights/calendar/period'
import type { QueryScope } from '#insights/scope'

/** An event as a test states it: a person did something at a time. */
export interface TestEvent {
  person: string
  event: string
  /** ISO, or minutes after the story's beginning. */
  at: string | number
  /** Any word; the same word is the same session. None when absent. */
  session?: string
  /** The id that the device sent; the person's own name when absent. */
  distinctId?: string
  columns?: Partial<EventColumns>
  properties?: Record<string, string>
  groups?: Record<string, string>
}

/** A Monday. */
export const beginning = new Date('2026-03-02T10:00:00Z')

export const timeOf = ({ at }: Pick<TestEvent, 'at'>): Date =>
  typeof at === 'number' ? new Date(beginning.getTime() + at * 60_000) : new Date(at)

/** A uuid that a word stands for: the same one every time. */
export function uuidFor(word: string): string {
  const hex = createHash('md5').update(word).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export interface TestEngine {
  engine: () => Engine
  /** Puts events into a project of their own and says its number. */
  addProject: (events: readonly TestEvent[]) => Promise<number>
  /** Puts more events into a project that was told of before. */
  addEvents: (projectId: number, events: readonly TestEvent[]) => Promise<void>
  /** Many stories at once, each a project of its own: one insert for all of them. */
  addProjects: (stories: readonly (readonly TestEvent[])[]) => Promise<number[]>
  /** Rows for another table, as the engine takes them. */
  fill: (table: string, rows: readonly object[]) => Promise<void>
  scope: (projectId: number, changes?: Partial<Calendar>, more?: Partial<QueryScope>) => QueryScope
  /** The answer itself; a query that cannot be answered fails the test with what a person would read. */
  ask: <Answer>(
    projectId: number,
    query: object,
    changes?: Partial<Calendar>,
    more?: Partial<QueryScope>,
  ) => Promise<Answer>
}

/** The files of a worker share this module, and so its engine, where they are not isolated from each other. */
let engineOfWorker: Promise<Engine> | undefined

async function start(): Promise<Engine> {
  const folder = await mkdtemp(join(inject('enginesFolder'), 'engine-'))
  const { engine } = await temporaryEngine({ folder })
  await engine.ready()
  return engine
}

/** Takes 20 to 200 ms, by the number of parts that were written; a start takes 600. */
async function emptied(engine: Engine): Promise<Engine> {
  const truncate = (table: string) => engine.command(sql`truncate table ${identifier(table, engineTables)}`)
  await Promise.all(engineTables.map(truncate))
  return engine
}

/**
 * One real engine for all files of a worker, without a row at the start of each. Stories do not see each other, because
 * each is a project of its own; in every file their numbers begin at 1, as those of a store do.
 *
 * @example
 * const { tell, ask } = anEngine()
 * test('a purchase is counted', async () => {
 *   const project = await tell([{ person: 'ana', event: 'buy', at: 0 }])
 *   const answer = await ask<TrendAnswer>(project, { kind: 'trend', series: [{ event: 'buy' }] })
 * })
 */
export function anEngine(): TestEngine {
  let ready: Engine | undefined
  let lastProject = 0
  beforeAll(async () => {
    ready = await emptied(await (engineOfWorker ??= start()))
  })

  const engine = (): Engine => {
    if (!ready) throw new Error('The engine has not been started yet.')
    return ready
  }

  /** The number of each event within its project names it. */
  const told = new Map<number, number>()
  const rowsOf = (projectId: number, events: readonly TestEvent[]) => {
    const before = told.get(projectId) ?? 0
    told.set(projectId, before + events.length)
    return events.map((event, i) => rowFor(event, projectId, before + i))
  }
  const addProjects = async (stories: readonly (readonly TestEvent[])[]): Promise<number[]> => {
    const numbers = stories.map(() => ++lastProject)
    const rows = stories.flatMap((events, story) => rowsOf(numbers[story] ?? 0, events))
    await engine().insert('events', rows.join('\n'))
    return numbers
  }

  const scope: TestEngine['scope'] = (projectId, changes = {}, more = {}) => ({
    projectId,
    calendar: { timeZone: 'UTC', weekStart: 'monday', now: new Date('2026-03-31T12:00:00Z'), ...changes },
    currency: 'EUR',
    hasMerged: false,
    cohort: () => undefined,
    testAccounts: undefined,
    bounceRule: usualBounceRule,
    pageGroups: [],
    isFirstDay: async () => false,
    firstEventAt: async () => beginning,
    run: <Row>(statement: Sql) => engine().query<Row>(statement),
    ...more,
  })

  return {
    engine,
    addProjects,
    addEvents: async (projectId, events) => {
      if (events.length > 0) await engine().insert('events', rowsOf(projectId, events).join('\n'))
    },
    scope,
    addProject: async (events) => (await addProjects([events]))[0] ?? 0,
    fill: async (table, rows) =>
      await engine().insert(table, rows.map((row) => JSON.stringify(row)).join('\n')),
    ask: async <Answer>(
      projectId: number,
      query: object,
      changes?: Partial<Calendar>,
      more?: Partial<QueryScope>,
    ) => {
      const read = readQuery(query)
      const outcome = read.done ? await read.ready.answer(scope(projectId, changes, more)) : read
      if (!outcome.done) throw new Error(outcome.problems.map(({ message }) => message).join(' '))
      // the caller knows which kind of query it was
      return outcome.answer as Answer
    },
  }
}

const noChanges = { set: {}, setOnce: {}, unset: [], add: {} }

function rowFor(event: TestEvent, projectId: number, i: number): string {
  const prepared = {
    uuid: uuidFor(`${projectId} ${i}`),
    projectId,
    name: event.event,
    at: timeOf(event),
    receivedAt: timeOf(event),
    distinctId: event.distinctId ?? event.person,
    sessionId: event.session ? uuidFor(`session ${event.session}`) : '',
    hasPerson: true,
    isCookieless: false,
    person: noChanges,
    identity: undefined,
    groups: event.groups ?? {},
    group: undefined,
    columns: { traffic: 'human' as const, ...event.columns },
    properties: event.properties ?? {},
  }
  return rowOf(prepared, uuidFor(event.person))
}
