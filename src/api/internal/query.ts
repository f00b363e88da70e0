import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import type { AnsweredQuery } from '#insights/answered-query'
import { queryInput } from '#insights/query-input'
import type { Outcome } from '#projects/problems'
import { mapOutcome, type Endpoint } from './endpoint'

const column = z.object({
  name: z.string(),
  as: z.string(),
  within: z
    .number()
    .optional()
    .meta({ description: 'The margin of its numbers, as a share of each; absent if they are exact' }),
})

/** The margin of an answer that is not exact. */
const approximateShape = z.object({ within: z.number(), above: z.number() }).meta({
  description:
    'Present where more persons were counted than are counted one by one (TILTH_EXACT_UP_TO). The columns whose numbers are approximate have `within`; `"exact": true` in the question and `?exact` count one by one.',
})

const explained = z.object({
  sql: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  rowsRead: z.number(),
  bytesRead: z.number(),
  tookMs: z.number(),
})

/** As of when an answer is, and what it does not include yet. */
export const answerStateShape = {
  at: instant.meta({ description: 'When the answer was computed' }),
  waitingEvents: z
    .number()
    .meta({ description: 'Events of the project that were accepted by then and are not stored yet' }),
  isBehind: z
    .boolean()
    .meta({ description: 'Whether any of them has waited for longer than storing usually takes' }),
}

export const answerShape = z
  .object({
    answer: z.unknown().meta({ description: 'What this kind of question answers' }),
    columns: z.array(column),
    rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
    approximate: approximateShape.optional(),
    ...answerStateShape,
    tookMs: z.number(),
    explained: z.array(explained).optional(),
  })
  .meta({ id: 'Answer' })

/** Options beside any query. */
export const answerOptions = z.object({
  explain: z.string().optional().meta({ description: 'With the SQL, the rows read and the time' }),
  fresh: z.string().optional().meta({ description: 'Not from what was answered a moment ago' }),
  exact: z.string().optional().meta({ description: 'Counts persons one by one, however many there are' }),
})

const answerState = ({ at, waitingEvents, isBehind }: AnsweredQuery) => ({
  at: at.toISOString(),
  waitingEvents,
  isBehind,
})

export const answerBody = (answered: AnsweredQuery) => ({
  answer: answered.answer,
  ...answered.table,
  ...(answered.approximate && { approximate: answered.approximate }),
  ...answerState(answered),
  tookMs: Math.round(answered.tookMs),
  ...(answered.explained && { explained: answered.explained }),
})

const rowsShape = z
  .object({
    columns: z.array(z.object({ name: z.string(), type: z.string() })),
    rows: z.array(z.array(z.unknown())),
    isCut: z.boolean().meta({ description: 'Whether there would have been more than 10,000 rows' }),
    rowsRead: z.number(),
    bytesRead: z.number(),
    ...answerStateShape,
    tookMs: z.number(),
  })
  .meta({ id: 'SqlAnswer' })

const rowsBody = (answered: AnsweredQuery<'sql'>) => {
  const { answer, tookMs } = answered
  const { read, ...rows } = answer
  return {
    ...rows,
    rowsRead: read.rows,
    bytesRead: read.bytes,
    ...answerState(answered),
    tookMs: Math.round(tookMs),
  }
}

/** Names the user's statement `sql` in problems, as requests do. */
const inQueryWords = <Done>(outcome: Outcome<Done>): Outcome<Done> =>
  outcome.done
    ? outcome
    : {
        done: false,
        problems: outcome.problems.map(({ field, message }) => ({
          field: field === 'text' ? 'sql' : field,
          message,
        })),
      }

const statement = z.object({
  sql: z
    .string()
    .max(20_000)
    .meta({ description: 'Read-only SQL over events, persons, sessions and groups' }),
  period: z.string().optional().meta({ description: 'What {{from}} and {{until}} in it stand for' }),
})

export const queryEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/projects/{project}/query',
    summary:
      'Ask a question: a trend, a funnel, a retention, anything that an insight can show; or ask in SQL, which takes the scope sql:read as well',
    right: 'events:read',
    input: z.union([z.object({ question: queryInput }), statement]),
    query: answerOptions,
    responseSchema: z.union([answerShape, rowsShape]),
    handle: async ({ product, viewer, input, query, project, signal }) => {
      // any input that was sent; the product reads it
      const { question, sql: text, period } = (input ?? {}) as Record<string, unknown>
      const isWritten = text !== undefined && question === undefined
      const options = {
        explain: query.has('explain'),
        isFresh: query.has('fresh'),
        showsMargin: !query.has('exact'),
        ...(signal && { signal }),
      }
      if (!isWritten)
        return mapOutcome(await product.insights.ask(project().id, question, viewer, options), answerBody)
      const written = { kind: 'sql' as const, text, ...(period !== undefined && { period }) }
      const outcome = await product.insights.ask(project().id, written, viewer, options)
      return inQueryWords(mapOutcome(outcome, rowsBody))
    },
  },
]
