import { unitOf } from '#insights/chart-settings'
import { type AnsweredQuery, isOfKind } from '#insights/answered-query'
import { comparisonWords, periodWords } from '#insights/calendar/period-words'
import { marginOf, nameWithMargin } from '#insights/approximation'
import type { AnswerColumn } from '#insights/kind'
import type { VisitTotals } from '#insights/compile/visit-totals'
import { amount, change, number, percent, plural, type Unit, unchanged } from '#ui/format'
import { cellText } from './answer-text'

interface SentenceSettings {
  currency: string
}

/** Says an answer in the sentence of its kind: what a person would say who looks at its chart. */
export function answerSentence(answered: AnsweredQuery, settings: SentenceSettings): string {
  const { question, table } = answered
  const when = 'period' in question ? `, ${periodWords(question.period).toLowerCase()}` : ''
  const sentence = kindSentence(answered, settings)
  return sentence === undefined
    ? `The answer has ${plural(table.rows.length, 'row')}${when}.`
    : `${sentence}${when}.`
}

function kindSentence(answered: AnsweredQuery, settings: SentenceSettings): string | undefined {
  if (isOfKind('trend', answered)) return trendSentence(answered, settings)
  if (isOfKind('funnel', answered)) return funnelSentence(answered)
  if (isOfKind('retention', answered)) return retentionSentence(answered)
  if (isOfKind('totals', answered)) return visitorsMovement(answered)
  return undefined
}

const mostLines = 3

/** Lines of a breakdown are named by values of visitors, which stand in the table alone. */
function trendSentence(
  { answer: { lines } }: AnsweredQuery<'trend'>,
  { currency }: SentenceSettings,
): string | undefined {
  const named = lines.filter(({ breakdown, isOthers }) => breakdown.length === 0 && !isOthers)
  if (named.length === 0) return undefined
  return named
    .slice(0, mostLines)
    .map(({ label: name, within, as, total, compared }) =>
      movement(
        nameWithMargin({ name, ...(within !== undefined && { within }) }),
        { now: total, before: compared?.total },
        unitOf(as, { currency }),
      ),
    )
    .join('; ')
}

/** "“Sign up” fell 12% (4,211 → 3,706)" */
function movement(
  label: string,
  { now, before }: { now: number | null; before: number | null | undefined },
  unit: Unit,
): string {
  const name = `“${cellText(label)}”`
  const text = amount(now, unit)
  if (now === null || before === undefined || before === null) return `${name}: ${text}`
  const by = change(before, now)
  if (by === unchanged) return `${name} stayed at ${text}`
  const moved = before === 0 ? 'rose' : `${now > before ? 'rose' : 'fell'} ${by.slice(1)}`
  return `${name} ${moved} (${amount(before, unit)} → ${text})`
}

/** "3 of 10 people (30%) came from “Page view” to “Sign up” (before: 28%)" */
function funnelSentence({ answer: { steps, compared } }: AnsweredQuery<'funnel'>): string | undefined {
  const [first, last] = [steps[0], steps.at(-1)]
  if (!first || !last) return undefined
  const from = `“${cellText(first.label)}”`
  if (first.persons === 0) return `No one began with ${from}`
  const before = compared?.steps.at(-1)?.fromFirst ?? null
  const beside = before === null ? '' : ` (before: ${percent(before)})`
  const share = last.fromFirst === null ? '' : ` (${percent(last.fromFirst)})`
  return `${number(last.persons)} of ${plural(first.persons, 'person', 'people')}${share} came from ${from} to “${cellText(last.label)}”${beside}`
}

function retentionSentence({ answer: { interval, series } }: AnsweredQuery<'retention'>): string | undefined {
  const [all, ...others] = series
  const [, next] = all?.mean ?? []
  if (!all || others.length > 0) return undefined
  const size = all.sizes.reduce((sum, one) => sum + one, 0)
  return next === null || next === undefined
    ? `${plural(size, 'person', 'people')} began, and no ${interval} after theirs is over yet`
    : `${percent(next)} of ${plural(size, 'person', 'people')} were back a ${interval} later`
}

const visitorsMovement = ({ answer: { figures, compared }, approximate }: AnsweredQuery<'totals'>): string =>
  movement(
    nameWithMargin({ name: 'Visitors', ...marginOf(approximate !== undefined) }),
    { now: figures.visitors, before: compared?.figures.visitors },
    'number',
  )

/** "3,706 visitors, last 30 days (−12%; previous period: 4,211)." */
export function visitorsSentence(
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

export function figureNotes({ figures, compared, lastIsIncomplete }: VisitTotals): string[] {
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
