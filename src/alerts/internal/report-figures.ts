import { valueName } from '#events/value-names'
import type { CardAnswer, Dashboards } from '#dashboards/dashboards'
import type { ExperimentReport } from '#experiments/results/report'
import type { AnsweredQuery } from '#insights/answered-query'
import type { Findings } from '#findings/findings'
import { type Approximation, figuresOfPersons, nameWithMargin } from '#insights/approximation'
import type { Insights } from '#insights/ask'
import type { Panel } from '#insights/kinds/breakdown/answer'
import { type ChartSettings, unitOf } from '#insights/chart-settings'
import type { AnswerCell } from '#insights/kind'
import { trendNumbers } from '#insights/measures/trend-lines'
import { daysBefore, periodOn } from '#insights/calendar/period'
import type { Calendar } from '#insights/calendar/period'
import type { VisitTotals } from '#insights/compile/visit-totals'
import { may, operator, type Viewer } from '#projects/access'
import { type Outcome, failedOutcome } from '#projects/problems'
import { amount, change, date, type Unit } from '#ui/format'
import type { ReportFigure, ReportFigureList, ReportFigures } from '../report-content'
import type { Report } from '../report'
import type { ReportRhythm } from '../alert-words'

export interface ReportFiguresDependencies {
  insights: Pick<Insights, 'ask'>
  dashboards: Pick<Dashboards, 'find' | 'asking'>
  findings: Pick<Findings, 'ofLastWeek'>
}

/**
 * Reads with rights of its own: the author's right to read the project was checked when the report was saved. Members
 * who may write reports may read all that findings are about.
 */
const reportOperator = operator('reports')

/** The complete period before the letter is written. */
const periods = { day: 'yesterday', week: 'last-week', month: 'last-month' } as const satisfies Record<
  ReportRhythm,
  string
>
const previousPeriodWords = {
  day: 'the previous day',
  week: 'the previous week',
  month: 'the previous month',
} as const

type ReportContent = Pick<ReportFigures, 'figures' | 'lists' | 'missing'>

/** The project's time zone and currency, and the current time. */
export type ReportLocale = Calendar & ChartSettings

/** Returns the current figures of a report. Throws if the engine is unavailable; the report is written later then. */
export async function figuresOf(
  { projectId, about, every }: Pick<Report, 'projectId' | 'about' | 'every'>,
  locale: ReportLocale,
  dependencies: ReportFiguresDependencies,
  /** The reader of a preview, who sees only findings that they may read. */
  reader: Viewer = reportOperator,
): Promise<Outcome<{ figures: ReportFigures }>> {
  const reportContent =
    about.type === 'web'
      ? await figuresOfWeb(projectId, periods[every], locale, dependencies)
      : await figuresOfDashboard(
          { projectId, id: about.dashboard, period: periods[every] },
          locale,
          dependencies,
        )
  if (!reportContent.done) return reportContent
  const content: ReportFigures = {
    period: periodWords(every, locale),
    before: previousPeriodWords[every],
    figures: reportContent.figures,
    lists: reportContent.lists,
    missing: reportContent.missing,
  }
  if (every !== 'week' || !may('project:read', projectId, reader)) return { done: true, figures: content }
  const findings = await dependencies.findings.ofLastWeek(projectId, reader)
  return { done: true, figures: { ...content, findings } }
}

/** "22 Nov 2026", "16 Nov 2026 – 22 Nov 2026" */
function periodWords(every: ReportRhythm, calendar: Calendar): string {
  const { from, until } = periodOn(calendar, periods[every])
  const [first, last] = [from, daysBefore(until, 1, calendar)].map((day) => date(day, calendar.timeZone))
  return first === last ? String(first) : `${first} – ${last}`
}

const webFigures = [
  { label: 'Visitors', of: 'visitors', unit: 'number', good: 1 },
  { label: 'Visits', of: 'visits', unit: 'number', good: 1 },
  { label: 'Views', of: 'views', unit: 'number', good: 1 },
  { label: 'Views per visit', of: 'viewsPerVisit', unit: 'number', good: 1 },
  { label: 'Bounce rate', of: 'bounceRate', unit: 'percent', good: -1 },
  { label: 'Visit duration', of: 'duration', unit: 'seconds', good: 1 },
] as const

const webLists = ['page', 'source', 'country'] as const

async function figuresOfWeb(
  projectId: number,
  period: string,
  { currency }: ReportLocale,
  dependencies: ReportFiguresDependencies,
): Promise<Outcome<ReportContent>> {
  const outcome = await dependencies.insights.ask(
    projectId,
    { kind: 'breakdown', dimensions: [...webLists], limit: 8, period, compare: 'previous' },
    reportOperator,
    { showsMargin: true },
  )
  if (!outcome.done) return outcome
  const { answer, approximate } = outcome
  const { totals, panels } = answer
  return {
    done: true,
    figures: totals
      ? [...webFigures.map((one) => webFigure(one, totals, approximate)), ...revenueIn(totals, currency)]
      : [],
    lists: panels.map((panel) => listOf(panel, approximate)),
    missing: [],
  }
}

const webFigure = (
  { label, of, unit, good }: (typeof webFigures)[number],
  totals: VisitTotals,
  approximate: Approximation | undefined,
): ReportFigure =>
  withMargin(
    reportFigure(label, totals.figures[of], totals.compared?.figures[of], unit, good),
    figuresOfPersons.has(of) ? approximate?.within : undefined,
  )

/** "1,234,567 ±0.5 %" */
const withMargin = <Figure extends { value: string }>(
  figure: Figure,
  within: number | undefined,
): Figure => ({
  ...figure,
  value: nameWithMargin({ name: figure.value, within }),
})

/** Returns figures only if either period has revenue. */
function revenueIn({ figures, compared }: VisitTotals, currency: string): ReportFigure[] {
  const isNone = !figures.revenue && !compared?.figures.revenue
  return isNone ? [] : [reportFigure('Revenue', figures.revenue, compared?.figures.revenue, { currency }, 1)]
}

function reportFigure(
  label: string,
  value: number | null,
  before: number | null | undefined,
  unit: Unit,
  good: 1 | -1 | 0 = 0,
): ReportFigure {
  const figure = { label, value: amount(value, unit) }
  if (value === null || before === null || before === undefined) return figure
  const direction = Math.sign(value - before) * good
  return {
    ...figure,
    change: change(before, value),
    tone: direction === 0 ? 'neither' : direction > 0 ? 'good' : 'bad',
  }
}

const listOf = (
  { dimension, label, rows }: Panel,
  approximate: Approximation | undefined,
): ReportFigureList => ({
  title: label,
  counted: nameWithMargin({ name: 'Visitors', ...approximate }),
  rows: rows.map(({ value, visitors, compared }) => ({
    label: valueName(dimension, value),
    value: amount(visitors),
    ...(compared && { change: change(compared.visitors, visitors) }),
  })),
})

async function figuresOfDashboard(
  { projectId, id, period }: { projectId: number; id: string; period: string },
  locale: ReportLocale,
  dependencies: ReportFiguresDependencies,
): Promise<Outcome<ReportContent>> {
  const dashboard = await dependencies.dashboards.find(projectId, id, reportOperator)
  if (!dashboard) return failedOutcome('The dashboard was deleted. Choose another.', 'about')
  if (dashboard.archivedAt)
    return failedOutcome(`“${dashboard.name}” is archived. Restore it, or choose another.`, 'about')
  const askCard = dependencies.dashboards.asking(
    projectId,
    { ...dashboard.look, period, compare: 'previous' },
    reportOperator,
  )
  const reportContent: ReportContent = { figures: [], lists: [], missing: [] }
  const cards = dashboard.cards.filter(({ content }) => content.type !== 'text')
  const answers = await Promise.all(cards.map((card) => askCard(card, { showsMargin: true })))
  for (const [i, answer] of answers.entries()) {
    if (answer.done) addAnswer(reportContent, answer, locale)
    else {
      const content = cards[i]?.content
      const title = content?.type === 'question' ? content.title : 'A card'
      reportContent.missing.push({ title, why: answer.problems.map(({ message }) => message).join(' ') })
    }
  }
  return { done: true, ...reportContent }
}

function addAnswer({ lists, missing }: ReportContent, answer: CardAnswer, locale: ReportLocale): void {
  const { title } = answer
  if (answer.kind === 'question') {
    lists.push(listOfAnswer(title, answer.answered, locale))
    return
  }
  const { sentence, report } = answer.result
  if (report) lists.push(listOfResult(`${title}: ${sentence}`, report))
  else missing.push({ title, why: sentence })
}

/** The advice of an experiment as the heading of its variants. */
const listOfResult = (title: string, { variants }: Pick<ExperimentReport, 'variants'>): ReportFigureList => ({
  title,
  counted: 'Exposed',
  rows: variants.map(({ key, units }) => ({ label: key, value: amount(units) })),
})

const mostRows = 8

/** Returns the totals of a trend, and the first rows of any other answer's table. */
function listOfAnswer(title: string, answered: AnsweredQuery, dependencies: ChartSettings): ReportFigureList {
  const trend = trendNumbers(answered)
  if (trend) {
    const rows = trend.lines.slice(0, mostRows).map(({ label, as, total, compared, within }) => {
      const figure = reportFigure(label, total, compared?.total, unitOf(as, dependencies))
      const { value, change: changed } = withMargin(figure, within)
      return { label, value, ...(changed !== undefined && { change: changed }) }
    })
    return { title, counted: 'Total', rows }
  }
  const { table } = answered
  const numbers = table.columns.flatMap(({ as }, i) => (as === 'text' || as === 'date' ? [] : [i]))
  const [place] = numbers
  const column = place === undefined ? undefined : table.columns[place]
  if (place === undefined || !column) return { title, counted: '', rows: [] }
  const names = table.columns.flatMap(({ as }, i) => (as === 'text' || as === 'date' ? [i] : []))
  return {
    title,
    counted: nameWithMargin(column),
    rows: table.rows.slice(0, mostRows).map((cells) => ({
      label: names.map((i) => nameIn(cells[i], table.columns[i]?.as, dependencies)).join(', ') || title,
      value: amountIn(cells[place], unitOf(column.as, dependencies)),
    })),
  }
}

const nameIn = (
  cell: AnswerCell | undefined,
  as: string | undefined,
  { timeZone }: ChartSettings,
): string => {
  if (as === 'date' && typeof cell === 'string') return date(cell, timeZone)
  return cell === null || cell === undefined || cell === '' ? '(none)' : String(cell)
}

const amountIn = (cell: AnswerCell | undefined, unit: Unit): string =>
  typeof cell === 'number' ? amount(cell, unit) : (cell ?? '–')
