import type { Sql } from '#engine/sql'
import { failedOutcome, type Outcome } from '#projects/problems'
import { comparablePeriods } from '../../compile/comparable-periods'
import { type DimensionName, wordsOf } from '../../text/dimension-words'
import { dimensionOf } from '../../compile/dimensions'
import { type AnswerColumn, type AnswerTable, type AnswerCell, defineKind } from '../../kind'
import type { Period } from '../../calendar/period'
import { questionPeriod } from '../../question'
import type { QuestionScope } from '../../scope'
import { visitTotals, type VisitsAnswer } from '../../compile/visit-totals'
import { rowsOf } from '../../compile/visits'
import type { BreakdownAnswer, Panel, PanelRow } from '../../chart/panel'
import { eventPanel, type EventRow, sessionPanel } from './answer'
import { bounces, ofEvents, pageGroupsOf, reading } from './query'
import { type BreakdownQuestion, breakdownQuestion } from './question'
import { sortColumn, sortsOf } from './sorting'

export const breakdownKind = defineKind<BreakdownQuestion, BreakdownAnswer>({
  label: 'Breakdown',
  about: 'Visitors by page, source, place, device or anything else web analytics knows.',
  question: breakdownQuestion,
  answer,
  table,
})

async function answer(
  question: BreakdownQuestion,
  scope: QuestionScope,
): Promise<Outcome<{ answer: BreakdownAnswer }>> {
  const names = [...new Set(question.dimensions)]
  const unsortable = names.find((name) => question.sort && !sortsOf(name).includes(question.sort.by))
  if (unsortable) return cannotSort(unsortable)
  const ofSessions = names.filter((name) => dimensionOf(name).of === 'session')
  const [told, ofTheirOwn] = await Promise.all([
    question.totals || ofSessions.length > 0
      ? visitTotals(question, scope, {
          dimensions: ofSessions,
          pageGroups: pageGroupsOf(question, scope),
          rows: question,
          sort: sessionSort(question, ofSessions),
        })
      : undefined,
    panelsOfEvents(question, scope),
  ])
  if (told && !told.done) return told
  const panels = names.flatMap((name) => {
    const position = ofSessions.indexOf(name)
    return ofTheirOwn.get(name) ?? (told && position >= 0 ? panelIn(told, position, name) : [])
  })
  return { done: true, answer: { ...(told && { totals: told.totals }), panels } }
}

const cannotSort = (name: DimensionName) =>
  failedOutcome(`Sort ${wordsOf(name).plural} by one of: ${sortsOf(name).join(', ')}.`, 'sort')

/** All dimensions of sessions have the same columns. */
function sessionSort(question: BreakdownQuestion, [first]: readonly DimensionName[]): Sql | undefined {
  return first && sortColumn(question, first)
}

const panelIn = ({ rows, compared }: VisitsAnswer, position: number, name: DimensionName): Panel =>
  sessionPanel(name, rowsOf(rows, position), compared && rowsOf(compared.rows, position))

async function panelsOfEvents(
  question: BreakdownQuestion,
  scope: QuestionScope,
): Promise<ReadonlyMap<DimensionName, Panel>> {
  const names = question.dimensions.filter((name) => dimensionOf(name).of === 'event')
  if (names.length === 0) return new Map()
  const period = await questionPeriod(question, scope)
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await panelOfEvents(name, question, scope, period)] as const),
    ),
  )
}

async function panelOfEvents(
  name: DimensionName,
  question: BreakdownQuestion,
  scope: QuestionScope,
  period: Period,
): Promise<Panel> {
  const sort = sortColumn(question, name)
  const rows = await scope.run<EventRow>(ofEvents(question, name, sort, scope, period, question))
  const values = rows.map(({ value }) => value)
  const other = question.compare && comparablePeriods(period, question.compare, scope.calendar).part
  const compared =
    other && (await scope.run<EventRow>(ofEvents(question, name, undefined, scope, other, { values })))
  const panel = eventPanel(name, rows, compared || undefined)
  return name === 'page' && question.details ? await withPageReading(panel, question, scope, period) : panel
}

async function withPageReading(
  panel: Panel,
  question: BreakdownQuestion,
  scope: QuestionScope,
  period: Period,
): Promise<Panel> {
  const pages = panel.rows.map(({ value }) => value ?? '')
  const [read, left] = await Promise.all([
    scope.run<{ page: string; seconds: number; scroll: number | null }>(
      reading(question, scope, period, pages),
    ),
    scope.run<{ page: string; bounce_rate: number }>(bounces(question, scope, period, pages)),
  ])
  const readOf = new Map(read.map((row) => [row.page, row]))
  const leftOf = new Map(left.map((row) => [row.page, row.bounce_rate]))
  const told = (row: PanelRow): PanelRow => {
    const page = row.value ?? ''
    const { seconds = null, scroll = null } = readOf.get(page) ?? {}
    return { ...row, reading: { seconds, scroll, bounceRate: leftOf.get(page) ?? null } }
  }
  return { ...panel, rows: panel.rows.map(told) }
}

/** The columns of a row depend on its dimension: of visits, or of events. */
const columns: readonly (AnswerColumn & { of: (row: PanelRow) => AnswerCell | undefined })[] = [
  { name: 'Value', as: 'text', of: ({ value }) => value },
  { name: 'Visitors', as: 'number', of: ({ visitors }) => visitors },
  { name: 'Events', as: 'number', of: ({ events }) => events },
  { name: 'Visits', as: 'number', of: ({ figures }) => figures?.visits },
  { name: 'Views', as: 'number', of: ({ figures }) => figures?.views },
  { name: 'Bounce rate', as: 'percent', of: ({ figures, reading: read }) => (figures ?? read)?.bounceRate },
  {
    name: 'Visit duration',
    as: 'duration',
    of: ({ figures, reading: read }) => figures?.duration ?? read?.seconds,
  },
  // the scroll depth of an answer is in percent
  { name: 'Scroll depth', as: 'percent', of: ({ reading: read }) => ofWhole(read?.scroll) },
  { name: 'Revenue', as: 'money', of: ({ figures }) => figures?.revenue },
  { name: 'Conversions', as: 'number', of: (row) => (row.figures ?? row).conversions },
  { name: 'Conversion rate', as: 'percent', of: (row) => (row.figures ?? row).conversionRate },
]

const ofWhole = (percent: number | null | undefined) =>
  percent === null || percent === undefined ? undefined : percent / 100

/** Returns the panels one below the other; an export of one panel requests one dimension. */
function table({ panels }: BreakdownAnswer): AnswerTable {
  return {
    columns: [{ name: 'Dimension', as: 'text' }, ...columns.map(({ name, as }) => ({ name, as }))],
    rows: panels.flatMap(({ label, rows }) =>
      rows.map((row) => [label, ...columns.map(({ of }) => of(row) ?? null)]),
    ),
  }
}
