import { propertyLabel } from '#events/taxonomy'
import { filterInWords } from '#filters/words'
import { approximationText, marginText } from '#insights/approximation'
import type { AnsweredQuery, KindName, QueryCost, QueryInput } from '#insights/answered-query'
import { isOpen, periodOn } from '#insights/calendar/period'
import { answerSettingsOf } from '#insights/project-settings'
import { failedOutcome, type Outcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { PictureSubject } from '#studio/pictures/picture'
import { dearWords } from './agent-budgets'
import type { ToolAnswer, ToolCall } from './agent-tool'

/** Asks a query for a tool, and counts the rows that it reads. One that would read more than is left is refused. */
export async function ask<Kind extends KindName>(
  call: ToolCall,
  query: QueryInput<Kind>,
  options: { showsMargin?: boolean } = {},
): Promise<Outcome<AnsweredQuery<Kind>>> {
  const { product, project, viewer, signal, budget } = call
  const cost = await affordable(call, query)
  if (!cost.done) return cost
  return await product.insights.ask(project.id, query, viewer, {
    ...options,
    ...(signal && { signal }),
    onRead: budget.spend,
  })
}

/** Returns what a query would cost; refused if that is more than is left. */
export async function affordable(
  { product, project, viewer, budget }: ToolCall,
  query: unknown,
): Promise<Outcome<{ cost: QueryCost }>> {
  const outcome = await product.insights.expectedCost(project.id, query, viewer)
  if (!outcome.done) return outcome
  const words = dearWords(outcome.cost, budget.left())
  return words === undefined ? outcome : failedOutcome(words)
}

/** Says which events were counted, and how exactly. */
export const queryNotes = ({ question, approximate }: AnsweredQuery): string[] => {
  const { filter, traffic, withoutTestAccounts } = question
  const counted = [
    traffic === 'human' ? 'People only, no robots' : `Traffic: ${traffic}`,
    ...(withoutTestAccounts ? ['without internal users'] : []),
    filter ? `where ${filterInWords(filter, propertyLabel)}` : 'no filter',
    'every event, no sample',
  ]
  return [`${counted.join('; ')}.`, ...approximationNotes(approximate)]
}

/** Says what the margin beside numbers means, and how to get exact ones. */
export const approximationNotes = (approximate: AnsweredQuery['approximate']): string[] =>
  approximate
    ? [
        `${approximationText(approximate)}: numbers with ${marginText} are within it. "exact": true counts one by one.`,
      ]
    : []

/** More rows would be copied to the thread that draws, for a picture that is too long to read. */
const mostDrawnRows = 2000

/** The picture of an answer, with the name of a saved insight. */
export const pictureOf = (
  { question, answer, table, approximate }: AnsweredQuery,
  title?: string,
): PictureSubject | undefined =>
  table.rows.length > mostDrawnRows
    ? undefined
    : {
        of: 'insight',
        ...(title !== undefined && { title }),
        answered: { question, answer, table, ...(approximate && { approximate }) },
      }

interface TextPeriod {
  from: string
  until: string
}

/** The period of a query; undefined where it begins with the first event. */
export function periodIn(
  { question: { period }, at }: AnsweredQuery,
  project: Project,
): TextPeriod | undefined {
  if (isOpen(period)) return undefined
  const { weekStart } = answerSettingsOf(project)
  const { from, until } = periodOn({ timeZone: project.timeZone, weekStart, now: at }, period)
  return { from: from.toISOString(), until: until.toISOString() }
}

export const countedIn = (
  { at, waitingEvents }: Pick<AnsweredQuery, 'at' | 'waitingEvents'>,
  within?: TextPeriod,
): ToolAnswer['counted'] => ({
  at,
  waitingEvents,
  ...(within && { period: { from: new Date(within.from), until: new Date(within.until) } }),
})
