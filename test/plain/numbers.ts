import type { Measure } from '#insights/compile/measure'
import type { TestEvent } from '../product/test-engine'

type MeasureFunction = (
  events: readonly TestEvent[],
  amounts: readonly number[],
  measure: Measure,
) => number | null

const percentile =
  (level: number): MeasureFunction =>
  (_, sorted) => {
    const place = (sorted.length - 1) * level
    const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
    if (below === undefined || above === undefined) return null
    return below + (above - below) * (place - Math.floor(place))
  }

const different = (values: readonly (string | undefined)[]) => new Set(values.filter((value) => value)).size
const persons: MeasureFunction = (events) => different(events.map(({ person }) => person))
const total = (amounts: readonly number[]) => amounts.reduce((one, other) => one + other, 0)
const percentageOf = (whole: number, parts: number) => (parts > 0 ? whole / parts : null)

const measureFunctions: Record<Measure['math'], MeasureFunction> = {
  total: (events) => events.length,
  persons,
  visitors: (events) => different(events.map(({ distinctId, person }) => distinctId ?? person)),
  sessions: (events) => different(events.map(({ session }) => session)),
  groups: (events, _, { group = '' }) => different(events.map(({ groups }) => groups?.[group])),
  daily_actives: persons,
  weekly_actives: persons,
  monthly_actives: persons,
  sum: (_, amounts) => total(amounts),
  average: (_, amounts) => percentageOf(total(amounts), amounts.length),
  median: percentile(0.5),
  p75: percentile(0.75),
  p90: percentile(0.9),
  p95: percentile(0.95),
  p99: percentile(0.99),
  min: (_, amounts) => amounts[0] ?? null,
  max: (_, amounts) => amounts.at(-1) ?? null,
  nps: (events, _, measure) => {
    const rated = ratingsOf(events, measure)
    return percentageOf(100 * (different(rated(9, 10)) - different(rated(0, 6))), different(rated(0, 10)))
  },
  csat: (events, _, measure) => {
    const rated = ratingsOf(events, measure)
    return percentageOf(100 * different(rated(4, 5)), different(rated(1, 5)))
  },
  per_person: (events, amounts, { property }) => {
    const counted = events.filter((event) => !property || amountOf(event, property.key).length > 0)
    return percentageOf(
      property ? total(amounts) : events.length,
      different(counted.map(({ person }) => person)),
    )
  },
}

export function measureOf(events: readonly TestEvent[], measure: Measure): number | null {
  const amounts = events.flatMap((event) => amountOf(event, measure.property?.key))
  return measureFunctions[measure.math](
    events,
    amounts.toSorted((one, other) => one - other),
    measure,
  )
}

function amountOf({ properties }: TestEvent, key: string | undefined): number[] {
  const text = key === undefined ? undefined : properties?.[key]
  return text !== undefined && /^-?\d+(\.\d+)?$/.test(text) ? [Number(text)] : []
}

/** The submissions with a rating between two numbers; an event without one is one of its own. */
const ratingsOf =
  (events: readonly TestEvent[], { property }: Measure) =>
  (from: number, until: number): string[] =>
    events.flatMap((event, i) => {
      const [amount] = amountOf(event, property?.key)
      const isThere = amount !== undefined && amount >= from && amount <= until
      return isThere ? [event.properties?.['$survey_submission_id'] ?? `event ${i}`] : []
    })
