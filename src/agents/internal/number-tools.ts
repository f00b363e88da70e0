import { z } from 'zod'
import type { AnsweredQuery, KindName, QueryInput } from '#insights/answered-query'
import { comparisonText, periodText } from '#insights/calendar/period'
import { comparisonWords } from '#insights/calendar/period-words'
import { tableOf } from '#insights/kinds/sql/answer'
import { marginOf } from '#insights/approximation'
import { numberName } from '#insights/people/number-words'
import { queryInput } from '#insights/query-input'
import { answerSettingsOf } from '#insights/project-settings'
import { queryText } from '#insights/text/query-text'
import { dimensionNames, wordsOf } from '#insights/text/dimension-words'
import { failedOutcome, type Outcome } from '#projects/problems'
import { number, plural } from '#ui/format'
import { below, defineTool, found, type ToolAnswer, type ToolCall } from './agent-tool'
import { answerSentence, figureNotes, visitorsSentence } from './answer-sentence'
import { cellText } from './answer-text'
import { affordable, ask, countedIn, periodIn, pictureOf, queryNotes } from './asked-query'
import { usualTrend, usualVisitors } from './usual-day'

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
    isDrawn: true,
    answer: async (call) => {
      const { dimension, limit, compare, period: within } = call.input
      const query = {
        kind: 'breakdown',
        dimensions: [dimension],
        period: within,
        compare,
        limit,
        exact: call.input.exact,
      } as const
      const outcome = await ask(call, query, { showsMargin: true })
      if (!outcome.done) return outcome
      const { answer, approximate } = outcome
      const { totals, panels } = answer
      const margin = marginOf(approximate !== undefined)
      const [panel] = panels
      return found({
        sentence: totals
          ? visitorsSentence(totals, call.input, margin)
          : 'No visits are known in this period.',
        notes: [
          ...(totals ? figureNotes(totals) : []),
          ...(await usualVisitors(call, outcome.at)),
          ...queryNotes(outcome),
        ],
        path: below('web', { period: within }),
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
        picture: pictureOf(outcome),
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
    isDrawn: true,
    answer: async (call) => answeredQuery(call, call.input.query),
  }),
  defineTool({
    name: 'list_persons',
    title: 'List the people behind a number',
    description:
      'Who is behind one number of an answer of run_query, 100 on a page. `point` names the number as the kind does: {"step":1,"outcome":"dropped"} of a funnel, {"series":0,"bucket":3} of a trend, {"dimension":"page","value":"/pricing"} of a breakdown. A point that cannot be read is answered with what to correct.',
    input: z.object({
      query: queryInput,
      point: z.record(z.string().max(100), z.unknown()),
      page: z.number().int().min(1).max(1000).default(1),
    }),
    rights: ['events:read'],
    answer: async (call) => {
      const { product, project, viewer, input, budget } = call
      const { query, point, page } = input
      const cost = await affordable(call, query)
      if (!cost.done) return cost
      budget.spend(cost.cost.rows)
      const outcome = await product.people.personsBehind(project.id, query, point, viewer, page)
      if (!outcome.done) return outcome
      const { persons, total } = outcome
      return found({
        sentence: `${plural(total, 'person is', 'people are')} behind this number: ${cellText(numberName({ query, point }))}.`,
        notes: ['Names such as “Quiet Heron” are coined for visitors whose name is not known.'],
        path: below('people/behind', {
          question: queryText(query),
          point: JSON.stringify(point),
          page: page === 1 ? undefined : String(page),
        }),
        table: {
          columns: [
            { name: 'name', as: 'text' },
            { name: 'visitor id', as: 'text' },
            { name: 'first seen', as: 'text' },
            { name: 'last seen', as: 'text' },
            { name: 'events', as: 'number' },
            { name: 'story', as: 'text' },
          ],
          rows: persons.map(({ label, distinctId, firstSeen, lastSeen, events, story }) => [
            label.name,
            distinctId,
            firstSeen ?? null,
            lastSeen ?? null,
            events,
            story ?? null,
          ]),
        },
        rowsInAll: total,
      })
    },
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
    isDrawn: true,
    answer: async (call) => {
      const { product, project, viewer, input } = call
      const insight = await product.insights.saved.find(project.id, input.id, viewer)
      if (!insight) return failedOutcome('There is no such insight.', 'id')
      const query = { ...insight.question, ...(input.exact && { exact: true }) }
      const outcome = await answeredQuery(call, query, insight.name)
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
    isDrawn: true,
    answer: async (call) => {
      const { sql: text, period: within } = call.input
      const query = { kind: 'sql', text, ...(within !== undefined && { period: within }) } as const
      const outcome = await ask(call, query)
      if (!outcome.done) return outcome
      const { rows, isCut, read } = outcome.answer
      return found({
        sentence: `${plural(rows.length, 'row')}${isCut ? ' of more, cut at 10,000' : ''}; ${number(read.rows)} rows were read.`,
        path: below('sql', { q: text }),
        counted: countedIn(outcome),
        table: tableOf(outcome.answer),
        picture: pictureOf(outcome),
      })
    },
  }),
]

/** Answers a query of any kind, with what a person would say of it. */
async function answeredQuery(
  call: ToolCall,
  query: { kind: string },
  name?: string,
): Promise<Outcome<{ found: ToolAnswer }>> {
  // the kind is any text here: the product refuses those that it does not know
  const outcome: Outcome<AnsweredQuery> = await ask(call, query as QueryInput<KindName>, {
    showsMargin: true,
  })
  if (!outcome.done) return outcome
  const { table, question } = outcome
  return found({
    sentence: answerSentence(outcome, answerSettingsOf(call.project)),
    path: below('insights/new', { q: queryText(question) }),
    notes: [...(await usualTrend(call, outcome)), ...queryNotes(outcome)],
    counted: countedIn(outcome, periodIn(outcome, call.project)),
    table,
    rowsInAll: table.rows.length,
    picture: pictureOf(outcome, name),
    data: { question },
  })
}
