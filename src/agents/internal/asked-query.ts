import { propertyLabel } from '#events/taxonomy'
import { filterInWords } from '#filters/words'
import { approximationText, marginText } from '#insights/approximation'
import type { AnsweredQuery, KindName, QueryInput } from '#insights/answered-query'
import { isOpen, periodOn } from '#insights/calendar/period'
import { answerSettingsOf } from '#insights/project-settings'
import type { Outcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { ToolAnswer, ToolCall } from './agent-tool'

/** Asks a query for a tool. */
export async function ask<Kind extends KindName>(
  { product, project, viewer, signal }: ToolCall,
  query: QueryInput<Kind>,
  options: { showsMargin?: boolean } = {},
): Promise<Outcome<AnsweredQuery<Kind>>> {
  return await product.insights.ask(project.id, query, viewer, { ...options, ...(signal && { signal }) })
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
  return [
    `${counted.join('; ')}.`,
    ...(approximate
      ? [
          `${approximationText(approximate)}: columns with ${marginText} are within it. "exact": true in the query counts one by one.`,
        ]
      : []),
  ]
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
