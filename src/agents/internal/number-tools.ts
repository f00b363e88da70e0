import { z } from 'zod'
import type { AnsweredQuery } from '#insights/answered-query'
import { comparisonText, periodText } from '#insights/calendar/period'
import { comparisonWords, periodWords } from '#insights/calendar/period-words'
import type { VisitTotals } from '#insights/compile/visit-totals'
import { tableOf } from '#insights/kinds/sql/answer'
import { approximationText, marginOf, marginText, nameWithMargin } from '#insights/approximation'
import type { AnswerColumn } from '#insights/kind'
import { queryInput } from '#insights/query-input'
import { queryText } from '#insights/text/query-text'
import { dimensionNames, wordsOf } from '#insights/text/dimension-words'
import type { Outcome } from '#projects/problems'
import { amount, change, number, plural } from '#ui/format'
import { below, defineTool, found, type ToolAnswer, type ToolCall } from './agent-tool'

const period = periodText
  .default('30d')
  .describe('As "7d", "30d", "12mo", "today", "last-week", "2026-01-01..2026-01-31" or "all"')
const mostRows = 100
const exact = z
  .boolean()
  .default(false)
  .describe('Whether persons are counted one by one, however many there are')

export const numberTools = [
  defineTool({
    name: 'web_overview',
    title: 'Web analytics of a period',
    description:
      'Visitors, visits, views, bounce rate and duration of a period beside those of the period before, and the top values of one dimension such as pages, sources or countries.',
    input: z.object({
      period,
      compare: comparisonText.default('previous').describe('"previous", "year" or a period'),
      dimension: z.enum(dimensionNames).default('page'),
      limit: z.number().int().min(1).max(mostRows).default(10),
      exact,
    }),
    rights: ['events:read'],
    answer: async ({ product, project, viewer, input, signal }) => {
      const { dimension, limit, compare } = input
      const query = {
        kind: 'breakdown',
        dimensions: [dimension],
        period: input.period,
        compare,
        limit,
        exact: input.exact,
      } as const
      const outcome = await product.insights.ask(project.id, query, viewer, {
        showsMargin: true,
        ...(signal && { signal }),
      })
      if (!outcome.done) return outcome
      const { answer, approximate } = outcome
      const { totals, panels } = answer
      const margin = marginOf(approximate !== undefined)
      const [panel] = panels
      return found({
        sentence: totals ? visitorsSentence(totals, input, margin) : 'No visits are known in this period.',
        notes: [...(totals ? figureNotes(totals) : []), ...approximationNotes(outcome)],
        path: below('web', { period: input.period }),
        counted: countedIn(outcome, totals?.period),
        table: {
          columns: [
            { name: wordsOf(dimension).label, as: 'text' },
            { name: 'Visitors', as: 'number', ...margin },
            { name: `Visitors, ${comparisonWords(compare).toLowerCase()}`, as: 'number', ...margin },
          ],
          rows: (panel?.rows ?? []).map(({ value, visitors, compared }) => [
            value,
            visitors,
            compared?.visitors ?? null,
          ]),
        },
        rowsInAll: panel?.valuesInAll ?? 0,
        data: { totals, panel },
      })
    },
  }),
  defineTool({
    name: 'run_query',
    title: 'Answer a question about events',
    description:
      'Answers a query of one kind: trend, funnel, retention, paths, lifecycle, stickiness, totals, breakdown, correlation, attribution. `query` has the form of docs/questions.md, such as {"kind":"funnel","steps":[{"event":"signup"},{"event":"paid"}],"period":"30d"}. A query that cannot be read is answered with what to correct.',
    input: z.object({ query: queryInput }),
    rights: ['events:read'],
    answer: async (call) => answeredQuery(call, call.input.query),
  }),
  defineTool({
    name: 'list_insights',
    title: 'List saved insights',
    description: 'The insights that members saved, with their kind. run_insight answers one.',
    input: z.object({ search: z.string().max(200).optional() }),
    rights: ['events:read'],
    answer: async ({ product, project, viewer, input }) => {
      const outcome = await product.insights.saved.list(project.id, input, viewer)
      if (!outcome.done) return outcome
      const { insights } = outcome
      return found({
        sentence: `${plural(insights.length, 'insight')} ${insights.length === 1 ? 'is' : 'are'} saved.`,
        path: below('insights', input),
        table: {
          columns: [
            { name: 'id', as: 'text' },
            { name: 'name', as: 'text' },
            { name: 'kind', as: 'text' },
          ],
          rows: insights.map(({ id, name, question }) => [id, name, question.kind]),
        },
      })
    },
  }),
  defineTool({
    name: 'run_insight',
    title: 'Answer a saved insight',
    description: 'The numbers of a saved insight as of now.',
    input: z.object({ id: z.string().max(100), exact }),
    rights: ['events:read'],
    answer: async (call) => {
      const { product, project, viewer, input } = call
      const insight = await product.insights.saved.find(project.id, input.id, viewer)
      if (!insight) return { done: false, problems: [{ field: 'id', message: 'There is no such insight.' }] }
      const outcome = await answeredQuery(call, { ...insight.question, ...(input.exact && { exact: true }) })
      if (!outcome.done) return outcome
      const path = `insights/${insight.id}`
      return found({ ...outcome.found, sentence: `“${insight.name}”: ${outcome.found.sentence}`, path })
    },
  }),
  defineTool({
    name: 'run_sql',
    title: 'Ask in SQL',
    description:
      'Read-only ClickHouse SQL over the views events, persons, sessions and groups of this project; docs/sql.md describes their columns. {{from}} and {{until}} stand for the ends of the period.',
    input: z.object({ sql: z.string().min(1).max(20_000), period: periodText.optional() }),
    rights: ['events:read', 'sql:read'],
    answer: async ({ product, project, viewer, input: { sql: text, period: within }, signal }) => {
      const query = { kind: 'sql', text, ...(within !== undefined && { period: within }) } as const
      const outcome = await product.insights.ask(project.id, query, viewer, { ...(signal && { signal }) })
      if (!outcome.done) return outcome
      const { rows, isCut, read } = outcome.answer
      return found({
        sentence: `${plural(rows.length, 'row')}${isCut ? ' of more, cut at 10,000' : ''}; ${number(read.rows)} rows were read.`,
        path: below('sql', { q: text }),
        counted: countedIn(outcome),
        table: tableOf(outcome.answer),
      })
    },
  }),
]

async function answeredQuery(
  { product, project, viewer, signal }: ToolCall,
  query: { kind: string },
): Promise<Outcome<{ found: ToolAnswer }>> {
  const outcome = await product.insights.ask(project.id, query, viewer, {
    showsMargin: true,
    ...(signal && { signal }),
  })
  if (!outcome.done) return outcome
  const { table, question } = outcome
  const words = 'period' in question && typeof question.period === 'string' ? question.period : undefined
  return found({
    sentence: `The answer has ${plural(table.rows.length, 'row')}${words === undefined ? '' : `, ${periodWords(words).toLowerCase()}`}.`,
    path: below('insights/new', { q: queryText(question) }),
    notes: approximationNotes(outcome),
    counted: countedIn(outcome),
    table,
    rowsInAll: table.rows.length,
    data: { question },
  })
}

/** Tells an assistant what to say beside the numbers, and how to get exact ones. */
const approximationNotes = ({ approximate }: Pick<AnsweredQuery, 'approximate'>): string[] =>
  approximate
    ? [
        `${approximationText(approximate)}: numbers with ${marginText} are within it. "exact": true counts one by one.`,
      ]
    : []

const countedIn = (
  { at, waitingEvents }: Pick<AnsweredQuery, 'at' | 'waitingEvents'>,
  within?: { from: string; until: string },
): ToolAnswer['counted'] => ({
  at,
  waitingEvents,
  ...(within && { period: { from: new Date(within.from), until: new Date(within.until) } }),
})

/** "3,706 visitors, last 30 days (−12%; previous period: 4,211)." */
function visitorsSentence(
  totals: VisitTotals,
  input: { period: string; compare: string },
  margin: Pick<AnswerColumn, 'within'>,
): string {
  const now = totals.figures.visitors
  const before = totals.compared?.figures.visitors
  const beside =
    before === undefined
      ? ''
      : ` (${change(before, now)}; ${comparisonWords(input.compare).toLowerCase()}: ${number(before)})`
  return `${nameWithMargin({ name: plural(now, 'visitor'), ...margin })}, ${periodWords(input.period).toLowerCase()}${beside}.`
}

function figureNotes({ figures, compared, lastIsIncomplete }: VisitTotals): string[] {
  const beside = (now: string, before: string | undefined) =>
    before === undefined ? now : `${now} (${before} before)`
  const was = compared?.figures
  return [
    [
      `Visits ${beside(number(figures.visits), was && number(was.visits))}`,
      `views ${beside(number(figures.views), was && number(was.views))}`,
      `bounce rate ${beside(amount(figures.bounceRate, 'percent'), was && amount(was.bounceRate, 'percent'))}`,
      `visit duration ${beside(amount(figures.duration, 'seconds'), was && amount(was.duration, 'seconds'))}.`,
    ].join(', '),
    ...(lastIsIncomplete ? ['The last part of the period is not over yet.'] : []),
  ]
}
