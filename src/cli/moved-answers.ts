import type { Engine } from '#engine/engine'
import { sql, string, uint } from '#engine/sql'
import { operator } from '#projects/access'
import { openProduct, type Product, type ProductSettings } from '#server/product'
import { realWorld } from '#world/world'

/** A product on one form of the installation, and the engine that it asks. */
export type MovedForm = Pick<ProductSettings, 'store'> & { engine: Engine }

export interface AnswerComparison {
  /** The number of questions that both answered. */
  answered: number
  /** Questions that the new form answers otherwise, one sentence each. */
  differences: string[]
  /** Questions that were not compared, and why, one sentence each: a server may refuse members' SQL. */
  notCompared: string[]
}

/** The projects with the most events in the asked days are asked about. */
const mostProjects = 20
const mostDays = 90
/** The days of more events are left out but the last one: checksums compare them, and Tilth is stopped meanwhile. */
const mostEvents = 2_000_000

/** Asks fourteen questions about each project through the insights of both forms, as a page of the studio would. */
export async function compareAnswers(old: MovedForm, next: MovedForm): Promise<AnswerComparison> {
  // one instant for both, so that a period ends at the same time
  const now = new Date()
  const world = { ...realWorld, now: () => now }
  const [before, after] = await Promise.all([old, next].map((form) => openProduct({ ...form, world })))
  if (!before || !after) throw new Error('Two products were opened.')
  try {
    const comparison: AnswerComparison = { answered: 0, differences: [], notCompared: [] }
    for (const project of await projectsWithEvents(old.engine))
      for (const query of queriesFor(project))
        await compareAnswer({ before, after }, project.id, query, comparison)
    return comparison
  } finally {
    await Promise.all([before.close(), after.close()])
  }
}

async function compareAnswer(
  { before, after }: Record<'before' | 'after', Product>,
  projectId: number,
  query: MovedQuery,
  comparison: AnswerComparison,
): Promise<void> {
  const [expected, found] = await Promise.all(
    [before, after].map((product) => answerOf(product, projectId, query)),
  )
  const text = JSON.stringify(query)
  const isRefused = query.kind === 'sql' && found?.answer === undefined
  if (expected?.answer === undefined || isRefused) {
    comparison.notCompared.push(
      `${text} was not compared: ${expected?.trouble ?? found?.trouble ?? 'it has no answer'}`,
    )
    return
  }
  comparison.answered += 1
  if (found?.answer === expected.answer) return
  comparison.differences.push(`Project ${projectId} is answered otherwise: ${text} ${found?.trouble ?? ''}`)
}

type MovedQuery = { kind: string } & Record<string, unknown>

interface ProjectSummary {
  id: number
  first: string
  last: string
  /** The most frequent names of events, at most three. */
  names: string[]
}

const limits = { lane: 'ingest', deadlineMs: 10 * 60_000 } as const

async function projectsWithEvents(engine: Pick<Engine, 'query'>): Promise<ProjectSummary[]> {
  const days = await engine.query<{ day: string; events: number }>(
    sql`
      select toString(toDate(timestamp)) as day, count() as events
      from events
      where timestamp >= (select toDate(max(timestamp)) - ${uint(mostDays)} from events)
      group by day
      order by day desc`,
    limits,
  )
  return await engine.query<ProjectSummary>(
    sql`
      select project_id as id,
        toString(toDate(min(timestamp))) as first,
        toString(toDate(max(timestamp))) as last,
        arraySort(topK(3)(toString(event))) as names
      from events
      where timestamp >= toDate(${string(firstDayOf(days))})
      group by id
      order by count() desc, id
      limit ${uint(mostProjects)}`,
    limits,
  )
}

/** Returns the first of the last days that together have few enough events. */
export function firstDayOf(days: readonly { day: string; events: number }[]): string {
  let events = 0
  const asked = days.filter((day, i) => (events += day.events) <= mostEvents || i === 0)
  return asked.at(-1)?.day ?? '1970-01-01'
}

/** Together they depend on persons and their merges, sessions, properties, places, sources and the order of events. */
export function queriesFor({ first, last, names }: ProjectSummary): MovedQuery[] {
  const [event = '$pageview', other = event] = names
  const asked = { period: `${first}..${last}`, traffic: 'all' }
  const series = [{ event }]
  return [
    { kind: 'trend', ...asked, series },
    { kind: 'trend', ...asked, series: [{ event, math: 'persons' }] },
    { kind: 'trend', ...asked, series, breakdowns: [{ type: 'event', key: '$browser' }] },
    { kind: 'funnel', ...asked, steps: [{ event }, { event: other }] },
    { kind: 'retention', ...asked, interval: 'week' },
    { kind: 'lifecycle', ...asked },
    { kind: 'stickiness', ...asked },
    { kind: 'totals', ...asked },
    { kind: 'breakdown', ...asked, dimensions: ['page', 'entry'], details: true },
    { kind: 'breakdown', ...asked, dimensions: ['country', 'browser', 'channel'] },
    { kind: 'paths', ...asked },
    { kind: 'vitals', ...asked },
    { kind: 'attribution', ...asked, goal: { type: 'event', event: other } },
    { kind: 'sql', text: statementOfPersons },
  ]
}

const statementOfPersons =
  'select event, count() as events, uniqExact(person_id) as persons from events group by event order by event'

/** The answer as a text, or why there is none. */
async function answerOf(
  { insights }: Product,
  projectId: number,
  query: MovedQuery,
): Promise<{ answer?: string; trouble?: string }> {
  const outcome = await insights.ask(projectId, query, operator(), { deadlineMs: 10 * 60_000 })
  // the answer to SQL has what it cost
  return outcome.done
    ? { answer: JSON.stringify(query.kind === 'sql' ? outcome.table : outcome.answer) }
    : { trouble: outcome.problems.map(({ message }) => message).join(' ') }
}
