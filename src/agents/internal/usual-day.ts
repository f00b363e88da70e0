import { type AnsweredQuery, isOfKind } from '#insights/answered-query'
import { daysBefore } from '#insights/calendar/period'
import { unitOf } from '#insights/chart-settings'
import { answerSettingsOf } from '#insights/project-settings'
import { isUsual, usualRange } from '#statistics/usual-range'
import { dayAt } from '#ui/dates'
import { amount, date, locale, type Unit } from '#ui/format'
import type { ToolCall } from './agent-tool'
import { cellText } from './answer-text'
import { ask } from './asked-query'

/** The weekdays before the last whole day that it is held against. */
const earlierWeeks = 8
/** The probability with which a further day of the same kind is outside. */
const level = 0.04

/** A number by day that ends with a whole one. */
export interface NumberByDay {
  name: string
  unit: Unit
  starts: readonly string[]
  values: readonly (number | null)[]
}

/**
 * Holds the last day against the same weekdays before it, by the rule of decision 74: "“Sign up” on Monday, 30 Nov 2026:
 * 12, within the usual range of Mondays (9 to 15, by 8 of them)." None with too few weeks since the number began.
 */
export function usualDayNote({ name, unit, starts, values }: NumberByDay, timeZone: string): string[] {
  const last = values.at(-1)
  const day = starts.at(-1)
  if (typeof last !== 'number' || day === undefined) return []
  const began = values.findIndex((value) => (value ?? 0) > 0)
  const known = values.slice(began === -1 ? values.length : began)
  const history = known.flatMap((value, i) =>
    i < known.length - 1 && (known.length - 1 - i) % 7 === 0 ? [value ?? 0] : [],
  )
  const range = usualRange(history, { level })
  if (!range) return []
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone }).format(new Date(day))
  const where = isUsual(last, range) ? 'within' : last > range.high ? 'above' : 'below'
  const [low, high] = [amount(Math.ceil(range.low), unit), amount(Math.floor(range.high), unit)]
  return [
    `“${cellText(name)}” on ${weekday}, ${date(day, timeZone)}: ${amount(last, unit)}, ${where} the usual range of ${weekday}s (${low} to ${high}, by ${range.weeks} of them).`,
  ]
}

/** The visitors of the last whole day against those of the same weekday. */
export async function usualVisitors(call: ToolCall, at: Date): Promise<string[]> {
  const outcome = await ask(call, { kind: 'totals', ...daysUntil(at, call) })
  if (!outcome.done) return []
  const { starts, course } = outcome.answer
  const values = course.map(({ visitors }) => visitors)
  return usualDayNote({ name: 'Visitors', unit: 'number', starts, values }, call.project.timeZone)
}

/** The same for the lines of a trend of counts; lines of a breakdown are left out. */
export async function usualTrend(call: ToolCall, answered: AnsweredQuery): Promise<string[]> {
  if (!isOfKind('trend', answered) || answered.question.breakdowns.length > 0) return []
  const { compare: _, ...query } = answered.question
  if (query.cumulative) return []
  const outcome = await ask(call, { ...query, ...daysUntil(answered.at, call), kind: 'trend' })
  if (!outcome.done) return []
  const { currency } = answerSettingsOf(call.project)
  const { starts, lines } = outcome.answer
  return lines
    .filter(({ as }) => as === 'number')
    .flatMap(({ label, as, values }) =>
      usualDayNote({ name: label, unit: unitOf(as, { currency }), starts, values }, call.project.timeZone),
    )
}

/** Whole days, so that all questions of a day ask the same. */
function daysUntil(at: Date, { project }: Pick<ToolCall, 'project'>) {
  const { timeZone } = project
  const { weekStart } = answerSettingsOf(project)
  const day = (days: number) => dayAt(daysBefore(at, days, { timeZone, weekStart, now: at }), timeZone)
  return { period: `${day(1 + 7 * earlierWeeks)}..${day(1)}`, interval: 'day' }
}
