import type { AnswerByKind } from '#insights/answered-query'
import type { Outcome } from '#projects/problems'
import { ask, success, type UmamiCall, type UmamiEndpoint, type UmamiOutcome } from './endpoint'
import { isOfVersion2 } from './filters'
import { comparedRange, intervalText, rangeParameters } from './periods'
import { chartRequestOf, selectionOf, type UmamiChart } from './requests'

type Figures = Omit<AnswerByKind['totals']['figures'], 'scroll'>

/** Umami's figures. Its `totaltime` is the time of all visits, in seconds. */
export const figuresBody = ({ views, visitors, visits, bounces, duration }: Figures) => ({
  pageviews: views,
  visitors,
  visits,
  bounces,
  totaltime: Math.round((duration ?? 0) * visits),
})

type FiguresBody = ReturnType<typeof figuresBody>

const noFigures: FiguresBody = { pageviews: 0, visitors: 0, visits: 0, bounces: 0, totaltime: 0 }

type FiguresRequest = Pick<UmamiChart, 'filter'> & { period: string | undefined }

/** Asks for the figures of a period; one before every event has none. */
async function figuresOf(
  call: UmamiCall,
  { period, filter }: FiguresRequest,
): Promise<Outcome<{ figures: FiguresBody }>> {
  if (period === undefined) return { done: true, figures: noFigures }
  const outcome = await ask(call, { kind: 'totals', period, ...(filter && { filter }) })
  return outcome.done ? { done: true, figures: figuresBody(outcome.answer.figures) } : outcome
}

/** Version 2 has the compared number beside each; its first releases the change. */
const figuresOfVersion2 = (figures: FiguresBody, compared: FiguresBody) => {
  const beside = (name: keyof FiguresBody) => ({
    value: figures[name],
    prev: compared[name],
    change: figures[name] - compared[name],
  })
  return {
    pageviews: beside('pageviews'),
    visitors: beside('visitors'),
    visits: beside('visits'),
    bounces: beside('bounces'),
    totaltime: beside('totaltime'),
  }
}

async function stats(call: UmamiCall): Promise<UmamiOutcome> {
  const selection = selectionOf(call)
  if (!selection.done) return selection
  const other = comparedRange(selection.range, call.query.get('compare') || 'prev')
  if (!other.done) return other
  const [now, before] = await Promise.all([
    figuresOf(call, selection),
    figuresOf(call, { ...selection, period: other.period }),
  ])
  if (!now.done) return now
  if (!before.done) return before
  const isOld = call.version === 2 || isOfVersion2(call.query)
  return success(
    isOld ? figuresOfVersion2(now.figures, before.figures) : { ...now.figures, comparison: before.figures },
  )
}

type ChartOfPeriod = Omit<UmamiChart, 'range' | 'period'> & { period: string | undefined }

/** The two lines of Umami's chart. It calls visitors sessions; intervals without any are left out, as there. */
async function chartOf(call: UmamiCall, chart: ChartOfPeriod) {
  const { period, filter, interval, timeZone } = chart
  if (period === undefined) return { done: true as const, pageviews: [], sessions: [] }
  const outcome = await ask(call, { kind: 'totals', period, interval, ...(filter && { filter }) }, timeZone)
  if (!outcome.done) return outcome
  const { starts, course } = outcome.answer
  const line = (of: 'views' | 'visitors') =>
    course.flatMap((figures, i) =>
      figures.visits > 0 ? [{ x: intervalText(starts[i] ?? '', chart), y: figures[of] }] : [],
    )
  return { done: true as const, pageviews: line('views'), sessions: line('visitors') }
}

async function pageviews(call: UmamiCall): Promise<UmamiOutcome> {
  const chart = chartRequestOf(call)
  if (!chart.done) return chart
  const compare = call.query.get('compare')
  const other = compare ? comparedRange(chart.range, compare) : undefined
  if (other && !other.done) return other
  const [now, before] = await Promise.all([
    chartOf(call, chart),
    other && chartOf(call, { ...chart, period: other.period }),
  ])
  if (!now.done) return now
  const lines = { pageviews: now.pageviews, sessions: now.sessions }
  if (!other || !before) return success(lines)
  if (!before.done) return before
  return success({
    ...lines,
    ...datesOf(chart.range),
    compare: { pageviews: before.pageviews, sessions: before.sessions, ...datesOf(other.range) },
  })
}

const datesOf = ({ startAt, endAt }: { startAt: number; endAt: number }) => ({
  startDate: new Date(startAt).toISOString(),
  endDate: new Date(endAt).toISOString(),
})

/** Visitors of the last five minutes, as on the studio's page about now. */
async function active(call: UmamiCall): Promise<UmamiOutcome> {
  const outcome = await ask(call, { kind: 'totals', period: '5m' })
  if (!outcome.done) return outcome
  const { visitors } = outcome.answer.figures
  // `x` is the name of Umami’s first versions with ClickHouse
  return success({ visitors, x: visitors })
}

const website = '/websites/{website}'

export const figureEndpoints: readonly UmamiEndpoint[] = [
  {
    method: 'GET',
    path: `${website}/stats`,
    query: [...rangeParameters, 'compare'],
    takesFilters: true,
    handle: stats,
  },
  {
    method: 'GET',
    path: `${website}/pageviews`,
    query: [...rangeParameters, 'compare'],
    takesFilters: true,
    handle: pageviews,
  },
  { method: 'GET', path: `${website}/active`, handle: active },
]
