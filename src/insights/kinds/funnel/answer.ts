import { eventLabel } from '#events/taxonomy'
import { type BreakdownRanges, valuesOfKey } from '../../compile/internal/breakdowns'
import type { AnswerTable, AnswerCell } from '../../kind'
import type { Buckets, Interval } from '../../calendar/period'
import { type BinRow, betweenOf, previousStep, type StepsRow, type FunnelTrendRow } from './query'
import type { FunnelQuery, FunnelShape } from './schema'

export interface FunnelStepAnswer {
  label: string
  optional: boolean
  persons: number
  /** Rates from the first and from the previous step; an optional step is never the previous one. */
  fromFirst: number | null
  fromPrevious: number | null
  /** The time since the previous step; null if no person reached the step. */
  medianSeconds: number | null
  averageSeconds: number | null
}

export interface FunnelValue {
  /** Null if the property was absent; meaningless for the series of all others. */
  value: string | null
  /** The group's name, in a breakdown by group key. */
  name?: string | undefined
  isOthers?: true
  /** The values in a point; for the others, the values that they are not. */
  keys: string[]
  steps: FunnelStepAnswer[]
}

interface FunnelTrend {
  interval: Interval
  starts: string[]
  end: string
  entered: number[]
  converted: number[]
  /** Null if no person entered. */
  rates: (number | null)[]
}

export interface FunnelTimes {
  from: number
  to: number
  persons: number
  medianSeconds: number | null
  averageSeconds: number | null
  bins: { fromSeconds: number; toSeconds: number; persons: number }[]
}

export interface FunnelPart {
  /** The period in which persons entered. */
  from: string
  until: string
  steps: FunnelStepAnswer[]
  breakdowns?: FunnelValue[]
  /** The number of values, hidden ones included. */
  valuesInAll?: number
  trend?: FunnelTrend
  times?: FunnelTimes
}

export interface FunnelAnswer extends FunnelPart {
  compared?: FunnelPart
}

function labelOf({ order, steps }: FunnelShape, i: number): string {
  if (order === 'unordered') return i === 0 ? 'Any of the steps' : `Any ${i + 1} of the steps`
  const step = steps[i]
  return step?.label ?? (step?.event ? eventLabel(step.event) : 'Any event')
}

export function stepsIn(query: FunnelShape, row: StepsRow | undefined): FunnelStepAnswer[] {
  const at = (i: number) => row?.persons[i] ?? 0
  return query.steps.map(({ optional }, i) => {
    const previous = previousStep(query, i)
    return {
      label: labelOf(query, i),
      optional,
      persons: at(i),
      fromFirst: share(at(i), at(0)),
      fromPrevious: previous === undefined ? share(at(0), at(0)) : share(at(i), at(previous)),
      medianSeconds: row?.medians[i] ?? null,
      averageSeconds: row?.averages[i] ?? null,
    }
  })
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

export function valuesIn(
  query: FunnelQuery,
  rows: readonly StepsRow[],
  ranges: BreakdownRanges,
): FunnelValue[] {
  const shown = rows.filter(({ place }) => place <= query.limit)
  const keys = shown.map(({ key }) => key)
  return rows.map((row) => {
    const steps = stepsIn(query, row)
    if (row.place > query.limit) return { value: null, isOthers: true, keys, steps }
    const [value = null] = query.breakdown ? valuesOfKey(row.key, [query.breakdown], ranges) : []
    return { value, keys: [row.key], steps }
  })
}

export function trendIn(
  interval: Interval,
  { starts, end }: Buckets,
  rows: readonly FunnelTrendRow[],
): FunnelTrend {
  const rowOf = new Map(rows.map((row) => [row.bucket, row]))
  const told = starts.map((start) => rowOf.get(start.getTime()))
  return {
    interval,
    starts: starts.map((start) => start.toISOString()),
    end: end.toISOString(),
    entered: told.map((row) => row?.entered ?? 0),
    converted: told.map((row) => row?.converted ?? 0),
    rates: told.map((row) => (row ? share(row.converted, row.entered) : null)),
  }
}

export function timesIn(query: FunnelQuery, rows: readonly BinRow[]): FunnelTimes {
  const { from, to } = betweenOf(query)
  const [first] = rows
  const personsIn = new Map(rows.map(({ bin, persons }) => [bin, persons]))
  return {
    from,
    to,
    persons: rows.reduce((all, { persons }) => all + persons, 0),
    medianSeconds: first?.median ?? null,
    averageSeconds: first?.average ?? null,
    bins: first ? binsOf(first, personsIn) : [],
  }
}

function binsOf({ least, most, bins }: BinRow, personsIn: ReadonlyMap<number, number>): FunnelTimes['bins'] {
  const width = (most - least) / bins
  return Array.from({ length: width === 0 ? 1 : bins }, (_, i) => ({
    fromSeconds: least + i * width,
    toSeconds: least + (i + 1) * width,
    persons: personsIn.get(i) ?? 0,
  }))
}

export function table(answer: FunnelAnswer, { view }: FunnelQuery): AnswerTable {
  if (view === 'trend' && answer.trend) return trendTable(answer.trend)
  return view === 'time' && answer.times ? timesTable(answer.times) : stepsTable(answer)
}

function stepsTable({ steps, breakdowns, compared }: FunnelAnswer): AnswerTable {
  const parts: [string, FunnelStepAnswer[]][] = [
    ['All', steps],
    ...(breakdowns ?? []).map((one): [string, FunnelStepAnswer[]] => [nameOf(one), one.steps]),
    ...(compared ? [['Compared', compared.steps] satisfies [string, FunnelStepAnswer[]]] : []),
  ]
  return {
    columns: [
      { name: 'Value', as: 'text' },
      { name: 'Step', as: 'number' },
      { name: 'Name', as: 'text' },
      { name: 'Persons', as: 'number' },
      { name: 'Of the first step', as: 'percent' },
      { name: 'Of the step before', as: 'percent' },
      { name: 'Median time', as: 'duration' },
      { name: 'Average time', as: 'duration' },
    ],
    rows: parts.flatMap(([name, all]) => all.map((step, i) => [name, i + 1, ...cellsOf(step)])),
  }
}

const nameOf = ({ value, isOthers }: FunnelValue): string => (isOthers ? 'Others' : (value ?? 'None'))

const cellsOf = (step: FunnelStepAnswer): AnswerCell[] => [
  step.label,
  step.persons,
  step.fromFirst,
  step.fromPrevious,
  step.medianSeconds,
  step.averageSeconds,
]

const trendTable = ({ starts, entered, converted, rates }: FunnelTrend): AnswerTable => ({
  columns: [
    { name: 'Entered', as: 'date' },
    { name: 'Persons', as: 'number' },
    { name: 'Converted', as: 'number' },
    { name: 'Conversion rate', as: 'percent' },
  ],
  rows: starts.map((start, i) => [start, entered[i] ?? 0, converted[i] ?? 0, rates[i] ?? null]),
})

const timesTable = ({ bins }: FunnelTimes): AnswerTable => ({
  columns: [
    { name: 'From', as: 'duration' },
    { name: 'To', as: 'duration' },
    { name: 'Persons', as: 'number' },
  ],
  rows: bins.map(({ fromSeconds, toSeconds, persons }) => [fromSeconds, toSeconds, persons]),
})
