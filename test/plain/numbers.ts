import type { Measure } from '../../src/insights/measure'
import type { Told } from '../questions'

type Say = (events: readonly Told[], amounts: readonly number[], measure: Measure) => number | null

const percentile =
  (level: number): Say =>
  (_, sorted) => {
    const place = (sorted.length - 1) * level
    const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
    if (below === undefined || above === undefined) return null
    return below + (above - below) * (place - Math.floor(place))
  }

const different = (values: readonly (string | undefined)[]) => new Set(values.filter((value) => value)).size
const persons: Say = (events) => different(events.map(({ person }) => person))
const added = (amounts: readonly number[]) => amounts.reduce((one, other) => one + other, 0)
const share = (whole: number, parts: number) => (parts > 0 ? whole / parts : null)

const says: Record<Measure['math'], Say> = {
  total: (events) => events.length,
  persons,
  visitors: (events) => different(events.map(({ distinctId, person }) => distinctId ?? person)),
  sessions: (events) => different(events.map(({ session }) => session)),
  groups: (events, _, { group = '' }) => different(events.map(({ groups }) => groups?.[group])),
  daily_actives: persons,
  weekly_actives: persons,
  monthly_actives: persons,
  sum: (_, amounts) => added(amounts),
  average: (_, amounts) => share(added(amounts), amounts.length),
  median: percentile(0.5),
  p75: percentile(0.75),
  p90: percentile(0.9),
  p95: percentile(0.95),
  p99: percentile(0.99),
  min: (_, amounts) => amounts[0] ?? null,
  max: (_, amounts) => amounts.at(-1) ?? null,
  per_person: (events, amounts, { property }) => {
    const counted = events.filter((event) => !property || amountOf(event, property.key).length > 0)
    return share(property ? added(amounts) : events.length, different(counted.map(({ person }) => person)))
  },
}

/** What a measure says of some events. */
export function numberOf(events: readonly Told[], measure: Measure): number | null {
  const amounts = events.flatMap((event) => amountOf(event, measure.property?.key))
  return says[measure.math](
    events,
    amounts.toSorted((one, other) => one - other),
    measure,
  )
}

function amountOf({ properties }: Told, key: string | undefined): number[] {
  const text = key === undefined ? undefined : properties?.[key]
  return text !== undefined && /^-?\d+(\.\d+)?$/.test(text) ? [Number(text)] : []
}
