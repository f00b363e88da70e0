import type { Insights } from '#insights/ask'
import type { SavedGoal } from '#insights/goals/goals'
import type { Goal } from '#insights/compile/goal'
import type { Viewer } from '#projects/access'
import { type UsualRange, usualRange } from '#statistics/usual-range'
import type { Unit } from '#ui/format'
import { type ComparedWeeks, earlierWeeks } from './weeks'

/** A number of the project in the last whole week, and the range that it is usually in. */
export interface ComparedNumber {
  of: 'visitors' | 'revenue' | 'goal'
  name: string
  /** The saved goal that it counts. */
  goal: SavedGoal | undefined
  unit: Unit
  value: number
  range: UsualRange
  /** The earlier week whose number is nearest to the middle, counted from the oldest. */
  usualWeek: number
}

export interface ComparedNumbers {
  numbers: ComparedNumber[]
  /** The whole weeks before the last one for which visitors are known. */
  weeks: number
  /** Events that have arrived are not counted yet. */
  isBehind: boolean
}

/**
 * The level at which any number of a project is unusual in a quiet week. In simulations it is so in at most 5 % of them,
 * also where numbers vary by 30 % from week to week (`usual-range.test.ts`).
 */
const falseAlarmRate = 0.04

const mostGoals = 50
const buyers: Goal = { type: 'revenue' }

/** A number by week, the oldest first and the last one at the end. */
export interface NumberByWeek extends Pick<ComparedNumber, 'of' | 'name' | 'goal' | 'unit'> {
  values: readonly number[]
  /** The amount that chance adds at a time. */
  noiseUnit: number
}

interface ComparedNumbersInput {
  weeks: ComparedWeeks
  goals: readonly SavedGoal[]
  currency: string
  viewer: Viewer
}

/** Asks for visitors, revenue and goals of all weeks, in two statements. */
export async function comparedNumbers(
  projectId: number,
  { weeks, goals, currency, viewer }: ComparedNumbersInput,
  insights: Pick<Insights, 'ask'>,
): Promise<ComparedNumbers> {
  const asked = goals.slice(0, mostGoals)
  const common = { period: weeks.all, interval: 'week' }
  const [totals, reached] = await Promise.all([
    insights.ask(projectId, { kind: 'totals', ...common }, viewer),
    insights.ask(
      projectId,
      { kind: 'goals', ...common, goals: [...asked.map(({ goal }) => goal), buyers] },
      viewer,
    ),
  ])
  if (!totals.done || !reached.done) return { numbers: [], weeks: 0, isBehind: false }
  const { course } = totals.answer
  const courses = reached.answer.goals.map((one) => one.course)
  const visitors = course.map((figures) => figures.visitors)
  const revenue = course.map((figures) => figures.revenue)
  const isBehind = totals.isBehind || reached.isBehind
  const byWeek: NumberByWeek[] = [
    { of: 'visitors', name: 'Visitors', goal: undefined, unit: 'number', values: visitors, noiseUnit: 1 },
    {
      of: 'revenue',
      name: 'Revenue',
      goal: undefined,
      unit: { currency },
      values: revenue,
      noiseUnit: noiseOfRevenue(revenue, courses.at(-1) ?? []),
    },
    ...asked.map((goal, i): NumberByWeek => ({
      of: 'goal',
      name: goal.name,
      goal,
      unit: 'number',
      values: courses[i] ?? [],
      noiseUnit: 1,
    })),
  ]
  return {
    numbers: isBehind ? [] : compared(byWeek),
    weeks: wholeWeeks(visitors.slice(0, earlierWeeks)).length,
    isBehind,
  }
}

/** Compares each number with its own weeks; the more numbers, the wider their ranges, so that chance stays as rare. */
export function compared(byWeek: readonly NumberByWeek[]): ComparedNumber[] {
  const known = byWeek
    .filter(({ values }) => values.length > earlierWeeks)
    .map((number) => ({ number, history: wholeWeeks(number.values.slice(0, earlierWeeks)) }))
    .filter(({ history }) => usualRange(history, { level: falseAlarmRate }) !== undefined)
  return known.flatMap(({ number: { values, noiseUnit, ...number }, history }) => {
    const range = usualRange(history, { level: falseAlarmRate / known.length, unit: noiseUnit })
    if (!range) return []
    const usualWeek = earlierWeeks - history.length + nearest(history, range.middle)
    return [{ ...number, value: values[earlierWeeks] ?? 0, range, usualWeek }]
  })
}

/** The weeks since a number began. The first one is left out unless it is the oldest: the number may have begun within it. */
function wholeWeeks(values: readonly number[]): readonly number[] {
  const first = values.findIndex((value) => value > 0)
  return first === -1 ? [] : values.slice(first === 0 ? 0 : first + 1)
}

function nearest(values: readonly number[], wanted: number): number {
  const distances = values.map((value) => Math.abs(value - wanted))
  return distances.lastIndexOf(Math.min(...distances))
}

/** Orders differ in size: as an exponential distribution has it, their sum varies as that of half as many equal ones. */
function noiseOfRevenue(revenue: readonly number[], buyersByWeek: readonly number[]): number {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const count = sum(buyersByWeek)
  return count > 0 && sum(revenue) > 0 ? (2 * sum(revenue)) / count : 1
}
