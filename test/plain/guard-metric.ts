import type { GuardMetricSide, GuardMetricAnswer } from '#insights/kinds/guard-metric/answer'
import type { GuardMetricQuery } from '#insights/kinds/guard-metric/schema'
import { type Calendar, periodOn } from '#insights/calendar/period'
import { type TestEvent, timeOf } from '../product/test-engine'

/** Sides by a pencil: each person is looked at for what they were told, since when, and what became of them. */
export function expectedGuardMetric(
  query: GuardMetricQuery,
  events: readonly TestEvent[],
  calendar: Calendar,
): GuardMetricAnswer {
  const { from, until } = periodOn(calendar, query.period)
  const since = query.since ? new Date(query.since) : from
  const between = (start: Date) =>
    events.filter((event) => timeOf(event) >= start && timeOf(event) < until && isHuman(event))
  const outcomes = [...new Set(events.map(({ person }) => person))].flatMap((person) => {
    const theirEvents = (start: Date) => between(start).filter((event) => event.person === person)
    const hasAsked = theirEvents(since).some((event) => isAbout(query, event))
    const exposure = hasAsked ? exposureOf(query, theirEvents(from)) : undefined
    const after = exposure ? theirEvents(from).filter((event) => timeOf(event) >= exposure.at) : []
    const amount = exposure && after.length > 0 ? amountOf(query, after) : undefined
    return exposure && amount !== undefined ? [{ got: exposure.got, amount }] : []
  })
  const side = (got: boolean) =>
    sideOf(
      outcomes.flatMap((outcome) => (outcome.got === got ? [outcome.amount] : [])),
      query.over ?? 0,
    )
  return { got: side(true), others: side(false) }
}

const isHuman = ({ columns }: TestEvent): boolean => (columns?.traffic ?? 'human') === 'human'

const isAbout = ({ flag }: GuardMetricQuery, { event, properties = {} }: TestEvent): boolean =>
  event === '$feature_flag_called' && properties['$feature_flag'] === flag

const answerIn = (query: GuardMetricQuery, event: TestEvent): string => {
  const { properties = {} } = event
  const answer = isAbout(query, event) ? properties['$feature_flag_response'] : undefined
  return answer || (properties[`$feature/${query.flag}`] ?? '')
}

/** The side of a unit, and the time since when: since its last exposure to the other side, if there was one. */
function exposureOf(
  query: GuardMetricQuery,
  theirEvents: readonly TestEvent[],
): { got: boolean; at: Date } | undefined {
  const exposures = theirEvents
    .flatMap((event) => {
      const value = answerIn(query, event)
      if (value === '') return []
      const hasTreatment = query.variant === undefined ? value !== 'false' : value === query.variant
      return [{ got: hasTreatment, at: timeOf(event) }]
    })
    .toSorted((one, other) => Number(one.at) - Number(other.at) || Number(one.got) - Number(other.got))
  const last = exposures.at(-1)
  if (!last) return undefined
  const first = exposures.find(({ got: hasTreatment }) => hasTreatment === last.got) ?? last
  const before = exposures.findLast(({ got: hasTreatment }) => hasTreatment !== last.got)
  return { got: last.got, at: before && before.at > first.at ? before.at : first.at }
}

function amountOf({ outcome }: GuardMetricQuery, theirEvents: readonly TestEvent[]): number | undefined {
  if (outcome.type === 'times')
    return theirEvents.filter(({ event }) => isNamed(event, outcome.happening)).length
  if (outcome.type === 'reached')
    return outcome.goal.type === 'event' && theirEvents.some(({ event }) => isNamed(event, outcome.goal))
      ? 1
      : 0
  return p75(
    theirEvents.flatMap(({ event, properties = {} }) =>
      event === outcome.event && outcome.property in properties ? [Number(properties[outcome.property])] : [],
    ),
  )
}

const isNamed = (name: string, wanted: object): boolean =>
  'event' in wanted && (wanted.event === null || wanted.event === name)

function sideOf(amounts: readonly number[], over: number): GuardMetricSide {
  const persons = amounts.length
  const mean = amounts.reduce((sum, one) => sum + one, 0) / persons
  const squares = amounts.reduce((sum, one) => sum + (one - mean) ** 2, 0)
  return {
    persons,
    mean: persons > 0 ? mean : null,
    variance: persons > 1 ? squares / (persons - 1) : null,
    p75: p75(amounts) ?? null,
    above: amounts.filter((one) => one > over).length,
  }
}

/** Between the two numbers around it, by how near it is to each. */
function p75(amounts: readonly number[]): number | undefined {
  const sorted = amounts.toSorted((one, other) => one - other)
  const at = 0.75 * (sorted.length - 1)
  const [below, above] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return below === undefined || above === undefined ? undefined : below + (at % 1) * (above - below)
}
