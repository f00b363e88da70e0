import type {
  ExperimentExposuresAnswer,
  ExposureCell,
  SeveralVariantsCause,
  UnitState,
} from '#insights/kinds/experiment-exposures/answer'
import type { Calendar } from '#insights/calendar/period'
import type { ExperimentQuery, MeasuredMetric } from '#insights/kinds/experiment/schema'
import type { experimentExposuresQuery } from '#insights/kinds/experiment-exposures/schema'
import { type TestEvent, timeOf } from '../product/test-engine'
import {
  exposureTime,
  isBetween,
  isExposure,
  isInWindow,
  isPreview,
  unitIn,
  valuesOf,
  variantIn,
} from './experiment'

type Query = ReturnType<typeof experimentExposuresQuery.parse>

interface PlainUnit {
  variant: string
  phase: number
  state: UnitState
  served: boolean
  seen: string[]
  cause: SeveralVariantsCause
  at: number
  events: TestEvent[]
  dimensions: [ExposureCell['dimension'], string][]
}

/** The outcome for every unit, without SQL. Entry filters, libraries and views are not covered; days are in UTC. */
export function expectedExposures(
  asked: Query,
  events: readonly TestEvent[],
  calendar: Calendar,
): ExperimentExposuresAnswer {
  const query: ExperimentQuery = {
    ...asked,
    kind: 'experiment',
    metrics: [],
    lookbackDays: 0,
    byDay: false,
    course: false,
  }
  const from = Date.parse(query.phases[0] ?? '')
  const until = query.until === undefined ? calendar.now.getTime() : Date.parse(query.until)
  const during = events.filter((event) => isBetween(event, from, until) && unitIn(query, event) !== '')
  const reports = during.filter((event) => isExposure(query, event) || isServed(query, event))
  const units = [...Map.groupBy(reports, (event) => unitIn(query, event))].map(([unit, own]) =>
    unitOf(
      query,
      own,
      during.filter((event) => isHuman(event) && unitIn(query, event) === unit),
    ),
  )
  const { metric } = asked
  const cells = new Map<string, ExposureCell>()
  for (const unit of units)
    for (const [dimension, value] of unit.dimensions) {
      const { variant, phase, state } = unit
      const key = JSON.stringify([dimension, value, variant, phase, state])
      const cell = cells.get(key) ?? {
        dimension,
        value,
        variant,
        phase,
        state,
        units: 0,
        served: 0,
        viewed: 0,
        converted: 0,
      }
      cell.units += 1
      cell.served += Number(unit.served)
      cell.converted += Number(metric !== undefined && conversionOf(metric, unit) === 'in-window')
      cells.set(key, cell)
    }
  const conversions = units.map((unit) => metric && conversionOf(metric, unit))
  return {
    cells: [...cells.values()],
    several: severalOf(units),
    onlyBefore: conversions.filter((one) => one === 'before').length,
    onlyOutside: conversions.filter((one) => one === 'outside').length,
  }
}

const isHuman = ({ columns }: TestEvent): boolean => (columns?.traffic ?? 'human') === 'human'
const isServed = ({ flag }: ExperimentQuery, { event, properties = {} }: TestEvent): boolean =>
  event === '$feature_flag_called' && properties['$feature_flag'] === flag

function unitOf(query: ExperimentQuery, reports: TestEvent[], events: TestEvent[]): PlainUnit {
  const isKnown = (event: TestEvent) => query.variants.includes(variantIn(query, event))
  const exposing = reports.filter((event) => isExposure(query, event))
  const human = exposing.filter(isHuman)
  const real = human.filter((event) => !isPreview(event))
  const counted = real.filter(isKnown)
  const ordered = (some: readonly TestEvent[]) =>
    some.toSorted((one, other) => exposureTime(one) - exposureTime(other))
  const [firstCounted] = ordered(counted)
  const first = firstCounted ?? ordered(reports)[0]
  const given = firstCounted ?? ordered(reports.filter(isKnown))[0]
  const seen = [...new Set(counted.map((event) => variantIn(query, event)))].toSorted()
  const at = first ? exposureTime(first) : 0
  const ids = new Set(counted.map(({ distinctId, person }) => distinctId ?? person))
  const phaseAt = (time: number) => query.phases.slice(1).filter((start) => time >= Date.parse(start)).length
  const phase = phaseAt(at)
  const causes = causesOf(query, { counted, isForced: exposing.some(isPreview), phaseAt })
  return {
    variant: given ? variantIn(query, given) : '',
    phase,
    state: stateOf(query, { seen, exposing, human, real }),
    served: reports.some((event) => isServed(query, event) && isKnown(event)),
    seen,
    cause: causes.find(([, holds]) => holds)?.[0] ?? 'unknown',
    at,
    events,
    dimensions: [
      ['all', ''],
      ['library', ''],
      ['browser', first?.columns?.browser ?? ''],
      ['os', ''],
      ['device', ''],
      ['country', ''],
      ['ids', ids.size > 1 ? 'several' : 'one'],
      ['phase', String(phase)],
      ['day', new Date(at).toISOString().slice(0, 10)],
    ],
  }
}

function stateOf(
  query: ExperimentQuery,
  {
    seen,
    exposing,
    human,
    real,
  }: Record<'exposing' | 'human' | 'real', readonly TestEvent[]> & { seen: readonly string[] },
): UnitState {
  const states: [UnitState, boolean][] = [
    ['counted', seen.length === 1 || (seen.length > 1 && query.severalVariants === 'first')],
    ['several', seen.length > 1],
    ['not-exposed', exposing.length === 0],
    ['robot', human.length === 0],
    ['preview', real.length === 0],
  ]
  return states.find(([, holds]) => holds)?.[0] ?? 'other'
}

/** Each probable cause of several variants, and whether it holds. */
function causesOf(
  query: ExperimentQuery,
  {
    counted,
    isForced,
    phaseAt,
  }: { counted: readonly TestEvent[]; isForced: boolean; phaseAt: (time: number) => number },
): [SeveralVariantsCause, boolean][] {
  const perOne = (of: (event: TestEvent) => string | number) =>
    new Set(counted.map(of)).size > 1 &&
    new Set(counted.map((event) => JSON.stringify([of(event), variantIn(query, event)]))).size ===
      new Set(counted.map(of)).size
  return [
    ['override', isForced],
    ['merge', perOne(({ distinctId, person }) => distinctId ?? person)],
    ['rules', perOne((event) => phaseAt(exposureTime(event)))],
    ['device', perOne(({ properties = {} }) => properties['$device_id'] ?? '')],
  ]
}

/** The time at which a counted unit had the metric’s event. */
function conversionOf(
  metric: MeasuredMetric,
  { state, at, events }: PlainUnit,
): 'in-window' | 'outside' | 'before' | undefined {
  if (state !== 'counted') return undefined
  const happened = (of: MeasuredMetric, some: readonly TestEvent[]) => {
    const values = valuesOf(of, some)
    return (values[of.type === 'funnel' || of.type === 'value' ? values.length - 1 : 0] ?? 0) > 0
  }
  if (
    happened(
      metric,
      events.filter((event) => isInWindow(metric, event, at)),
    )
  )
    return 'in-window'
  const isBefore = (event: TestEvent) => timeOf(event).getTime() < at
  if (
    happened(
      metric,
      events.filter((event) => !isBefore(event)),
    )
  )
    return 'outside'
  return metric.type !== 'funnel' && happened(metric, events.filter(isBefore)) ? 'before' : undefined
}

function severalOf(units: readonly PlainUnit[]): ExperimentExposuresAnswer['several'] {
  const counts = new Map<string, ExperimentExposuresAnswer['several'][number]>()
  for (const { seen, cause } of units) {
    if (seen.length < 2) continue
    const key = JSON.stringify([seen, cause])
    counts.set(key, { seen, cause, units: 1 + (counts.get(key)?.units ?? 0) })
  }
  return [...counts.values()]
}
