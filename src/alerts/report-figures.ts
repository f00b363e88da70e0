import type { Dashboards } from '../dashboards/dashboards'
import type { Answered, Insights } from '../insights/ask'
import type { BreakdownAnswer, Panel } from '../insights/panel'
import { type ChartGround, unitOf } from '../insights/chart-ground'
import type { Cell } from '../insights/kind'
import { trendNumbers } from '../insights/trend-lines'
import { daysBefore, periodOn } from '../insights/period'
import type { Calendar } from '../insights/period'
import type { Totals } from '../insights/tell-visits'
import { operator } from '../projects/access'
import { type Outcome, undone } from '../projects/problems'
import { amount, change, date, type Unit } from '../ui/format'
import type { Figure, FigureList, ReportFigures } from './figures'
import type { Report } from './report'
import type { ReportRhythm } from './words'

export interface FiguresGround {
  insights: Pick<Insights, 'ask'>
  dashboards: Pick<Dashboards, 'find' | 'asking'>
}

/** Whoever set a report up may read the project; from then on it is Tilth that asks. */
const reporter = operator('reports')

/** What is over when the letter is written. */
const periods = { day: 'yesterday', week: 'last-week', month: 'last-month' } as const satisfies Record<
  ReportRhythm,
  string
>
const befores = { day: 'the day before', week: 'the week before', month: 'the month before' } as const

type Told = Pick<ReportFigures, 'figures' | 'lists' | 'missing'>

/** Whose clock and money, and what time it is by it. */
export type Viewpoint = Calendar & ChartGround

/** The figures of a report as of now. Throws when the engine is away: then it is written later. */
export async function figuresOf(
  { projectId, about, every }: Pick<Report, 'projectId' | 'about' | 'every'>,
  viewpoint: Viewpoint,
  ground: FiguresGround,
): Promise<Outcome<{ figures: ReportFigures }>> {
  const told =
    about.type === 'web'
      ? await figuresOfWeb(projectId, periods[every], viewpoint, ground)
      : await figuresOfDashboard(
          { projectId, id: about.dashboard, period: periods[every] },
          viewpoint,
          ground,
        )
  if (!told.done) return told
  const { figures, lists, missing } = told
  const period = periodWords(every, viewpoint)
  return { done: true, figures: { period, before: befores[every], figures, lists, missing } }
}

/** "22 Nov 2026", "16 Nov 2026 – 22 Nov 2026" */
export function periodWords(every: ReportRhythm, calendar: Calendar): string {
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
  { currency }: Viewpoint,
  ground: FiguresGround,
): Promise<Outcome<Told>> {
  const ask = (question: object) =>
    ground.insights.ask(projectId, { ...question, period, compare: 'previous' }, reporter)
  const asked = await ask({ kind: 'breakdown', dimensions: [...webLists], limit: 8 })
  if (!asked.done) return asked
  const { totals, panels } = asked.answer as BreakdownAnswer // the question's kind is breakdown
  return {
    done: true,
    figures: totals
      ? [...webFigures.map((one) => webFigure(one, totals)), ...revenueIn(totals, currency)]
      : [],
    lists: panels.map(listOf),
    missing: [],
  }
}

const webFigure = ({ label, of, unit, good }: (typeof webFigures)[number], totals: Totals): Figure =>
  figure(label, totals.figures[of], totals.compared?.figures[of], unit, good)

/** Only where there ever is any. */
function revenueIn({ figures, compared }: Totals, currency: string): Figure[] {
  const isNone = !figures.revenue && !compared?.figures.revenue
  return isNone ? [] : [figure('Revenue', figures.revenue, compared?.figures.revenue, { currency }, 1)]
}

function figure(
  label: string,
  value: number | null,
  before: number | null | undefined,
  unit: Unit,
  good: 1 | -1 | 0 = 0,
): Figure {
  const told = { label, value: amount(value, unit) }
  if (value === null || before === null || before === undefined) return told
  const direction = Math.sign(value - before) * good
  return {
    ...told,
    change: change(before, value),
    tone: direction === 0 ? 'neither' : direction > 0 ? 'good' : 'bad',
  }
}

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

function valueWords(dimension: Panel['dimension'], value: string | null): string {
  if (value === null) return '(unknown)'
  return dimension === 'country' && /^[A-Z]{2}$/.test(value) ? (countries.of(value) ?? value) : value
}

const listOf = ({ dimension, label, rows }: Panel): FigureList => ({
  title: label,
  counted: 'Visitors',
  rows: rows.map(({ value, visitors, compared }) => ({
    label: valueWords(dimension, value),
    value: amount(visitors),
    ...(compared && { change: change(compared.visitors, visitors) }),
  })),
})

async function figuresOfDashboard(
  { projectId, id, period }: { projectId: number; id: string; period: string },
  viewpoint: Viewpoint,
  ground: FiguresGround,
): Promise<Outcome<Told>> {
  const dashboard = await ground.dashboards.find(projectId, id, reporter)
  if (!dashboard) return undone('The dashboard is not there any more. Choose another.', 'about')
  if (dashboard.archivedAt)
    return undone(`“${dashboard.name}” is archived. Bring it back, or choose another.`, 'about')
  const askCard = ground.dashboards.asking(
    projectId,
    { ...dashboard.look, period, compare: 'previous' },
    reporter,
  )
  const told: { figures: Figure[]; lists: FigureList[]; missing: { title: string; why: string }[] } = {
    figures: [],
    lists: [],
    missing: [],
  }
  const cards = dashboard.cards.filter(({ content }) => content.type !== 'text')
  const answers = await Promise.all(cards.map((card) => askCard(card)))
  for (const [i, answer] of answers.entries()) {
    if (answer.done) told.lists.push(listOfAnswer(answer.title, answer.answered, viewpoint))
    else {
      const content = cards[i]?.content
      const title = content?.type === 'question' ? content.title : 'A card'
      told.missing.push({ title, why: answer.problems.map(({ message }) => message).join(' ') })
    }
  }
  return { done: true, ...told }
}

const mostRows = 8

/** A trend tells its totals; any other answer the head of its table. */
function listOfAnswer(title: string, answered: Answered, ground: ChartGround): FigureList {
  const trend = trendNumbers(answered)
  if (trend) {
    const rows = trend.lines.slice(0, mostRows).map(({ label, as, total, compared }) => {
      const { value, change: changed } = figure(label, total, compared?.total, unitOf(as, ground))
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
    counted: column.name,
    rows: table.rows.slice(0, mostRows).map((cells) => ({
      label: names.map((i) => nameIn(cells[i], table.columns[i]?.as, ground)).join(', ') || title,
      value: amountIn(cells[place], unitOf(column.as, ground)),
    })),
  }
}

const nameIn = (cell: Cell | undefined, as: string | undefined, { timeZone }: ChartGround): string => {
  if (as === 'date' && typeof cell === 'string') return date(cell, timeZone)
  return cell === null || cell === undefined || cell === '' ? '(none)' : String(cell)
}

const amountIn = (cell: Cell | undefined, unit: Unit): string =>
  typeof cell === 'number' ? amount(cell, unit) : (cell ?? '–')
