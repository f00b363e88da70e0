import { valueName } from '#events/value-names'
import type { PanelRow } from '#insights/kinds/breakdown/answer'
import type { VisitFigures } from '#insights/compile/visits'
import { dimensionWords } from '#insights/text/dimension-words'
import { isUsual } from '#statistics/usual-range'
import { amount, change } from '#ui/format'
import type { Finding } from '../finding'
import { pageAddress } from './addresses'
import type { ComparedNumber } from './compared-numbers'
import type { FindingContext, FindingRule } from './rule'

/** More are not shown, and each asks for its cause. */
const mostNumbers = 3
const causes = ['source', 'entry', 'country'] as const
const mostValues = 20

/** Visitors, revenue and goals of the last whole week that are not as in the weeks before. */
export const unusualNumbers: FindingRule = {
  id: 'unusual-number',
  needs: ['events:read'],
  async find(context) {
    const { numbers } = await context.numbers()
    const found = unusual(numbers).slice(0, mostNumbers)
    return await Promise.all(
      found.map(async (number) => findingOf(number, await causeOf(number, context), context)),
    )
  },
}

/** The farthest from its range first. Where visitors are unusual, numbers that went as they did are left out. */
export function unusual(numbers: readonly ComparedNumber[]): ComparedNumber[] {
  const visitors = numbers.find(({ of }) => of === 'visitors')
  const crowd = visitors && !isUsual(visitors.value, visitors.range) ? crowdOf(visitors) : 1
  return numbers
    .filter(({ value, range }) => !isUsual(value, range))
    .filter(({ of, value, range }) => of === 'visitors' || crowd === 1 || !isUsual(value / crowd, range))
    .toSorted((one, other) => excess(other) - excess(one))
}

/** The visitors of the week as a multiple of the usual ones. */
const crowdOf = ({ value, range: { middle } }: ComparedNumber): number =>
  value > 0 && middle > 0 ? value / middle : 1

/** The distance from the middle, in lengths of the range on that side. */
const excess = ({ value, range: { low, middle, high } }: ComparedNumber): number =>
  value > middle ? (value - middle) / (high - middle) : (middle - value) / Math.max(middle - low, 1e-9)

interface Cause {
  dimension: (typeof causes)[number]
  value: string | null
  /** Its own difference to the usual week, in the direction of the whole. */
  difference: number
  /** The difference of all together. */
  whole: number
}

/** The value that made most of the difference to a usual week, if one did. */
async function causeOf(number: ComparedNumber, context: FindingContext): Promise<Cause | undefined> {
  const { weeks, insights, projectId, viewer } = context
  const isMore = number.value > number.range.middle
  const [larger, smaller] = isMore
    ? [weeks.last, weeks.week(number.usualWeek)]
    : [weeks.week(number.usualWeek), weeks.last]
  const outcome = await insights.ask(
    projectId,
    {
      kind: 'breakdown',
      dimensions: [...causes],
      limit: mostValues,
      period: larger,
      compare: smaller,
      ...(number.goal && { goal: number.goal.goal }),
    },
    viewer,
  )
  if (!outcome.done || !outcome.answer.totals) return undefined
  const { totals, panels } = outcome.answer
  const read = (figures: VisitFigures | undefined) => figureOf(number, figures)
  const [before, whole] = [read(totals.compared?.figures), read(totals.figures)]
  const found = panels.flatMap(({ dimension, rows }) =>
    isCause(dimension) ? causesIn(dimension, rows, { before, whole: whole - before }, read) : [],
  )
  return found.toSorted((one, other) => other.difference - one.difference)[0]
}

const isCause = (name: string): name is Cause['dimension'] => causes.some((one) => one === name)

const figureOf = ({ of }: ComparedNumber, figures: VisitFigures | undefined): number =>
  figures?.[of === 'goal' ? 'conversions' : of] ?? 0

function causesIn(
  dimension: Cause['dimension'],
  rows: readonly PanelRow[],
  { before, whole }: { before: number; whole: number },
  read: (figures: VisitFigures | undefined) => number,
): Cause[] {
  return rows.flatMap(({ value, figures, compared }) => {
    // an unknown page or country explains no change; no source is a source
    if (value === null && dimension !== 'source') return []
    const own = read(compared?.figures)
    const difference = read(figures) - own
    return isCauseOf({ own, difference }, { before, whole }) ? [{ dimension, value, difference, whole }] : []
  })
}

/** Whether a value made at least half of the difference, and changed twice as much as all others did. */
export function isCauseOf(
  { own, difference }: { own: number; difference: number },
  { before, whole }: { before: number; whole: number },
): boolean {
  const others = before - own
  const isOnlyOne = own > 0 && others <= 0
  return (
    whole > 0 &&
    !isOnlyOne &&
    difference >= whole / 2 &&
    difference * others >= 2 * (whole - difference) * own
  )
}

function findingOf(
  number: ComparedNumber,
  cause: Cause | undefined,
  { weeks }: Pick<FindingContext, 'weeks'>,
): Finding {
  const { name, value, range, unit } = number
  const write = (count: number): string => amount(rounded(count, number), unit)
  return {
    rule: unusualNumbers.id,
    urgency: 'decide',
    headline: [
      { name },
      ` ${changeWords(range.middle, value)}`,
      ...(cause ? [', most of it by ', { name: valueOf(cause) }] : []),
    ],
    reason: [
      `${write(value)} in the week of ${weeks.words}; a usual week of the ${range.weeks} compared has ${write(range.low)} to ${write(range.high)}.`,
      ...(cause ? [causeWords(cause, number, { write, week: weeks.wordsOf(number.usualWeek) })] : []),
    ].join(' '),
    action: { label: 'See the week', path: pageAddress.web(parametersOf(number, cause, weeks)) },
  }
}

const valueOf = ({ dimension, value }: Cause): string => valueName(dimensionWords[dimension].key, value)

/** "Source Hacker News: 120 more than in the usual week of 5 – 11 Jan 2026, all others together 2 less." */
function causeWords(
  cause: Cause,
  { value, range }: ComparedNumber,
  { write, week }: { write: (count: number) => string; week: string },
): string {
  const isMore = value > range.middle
  const [same, opposite] = isMore ? ['more', 'less'] : ['less', 'more']
  const others = cause.whole - cause.difference
  return `${dimensionWords[cause.dimension].label} ${valueOf(cause)}: ${write(cause.difference)} ${same} than in the usual week of ${week}, all others together ${write(Math.abs(others))} ${others < 0 ? opposite : same}.`
}

/** A percentage of a usual number below one says nothing. */
const changeWords = (middle: number, value: number): string =>
  middle < 1 ? 'happened, unlike in a usual week' : `${change(middle, value)} against a usual week`

/** Ranges of counts are whole numbers within the range. */
const rounded = (value: number, { of }: Pick<ComparedNumber, 'of'>): number =>
  of === 'revenue' ? Math.round(value * 100) / 100 : Math.round(value)

function parametersOf(
  { of, goal }: ComparedNumber,
  cause: Cause | undefined,
  weeks: FindingContext['weeks'],
): [string, string][] {
  return [
    ['period', weeks.last],
    ...(of === 'revenue' ? [['figure', 'revenue'] as [string, string]] : []),
    ...(goal ? [['goal', goal.id] as [string, string]] : []),
    ...(cause?.value ? [[cause.dimension, cause.value] as [string, string]] : []),
  ]
}
