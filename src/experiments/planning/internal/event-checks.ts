import { exposureSource } from '#insights/kinds/experiment/exposure-source'
import { matchersOf, type MeasuredMetric } from '#insights/kinds/experiment/schema'
import type { Experiment } from '../../experiment'
import { nearestName } from '#projects/nearest-name'
import type { ReadinessCheck } from '../readiness'

/** The count of an event in the last 30 days. */
export interface EventCount {
  name: string
  count: number
}

/** Whether the events that an experiment is about were seen at all. */
export function seenChecks(experiment: Experiment, events: readonly EventCount[]): ReadinessCheck[] {
  return [...metricChecks(experiment, events), exposureCheck(experiment, events)]
}

function metricChecks({ metrics }: Experiment, events: readonly EventCount[]): ReadinessCheck[] {
  const problems = metrics.flatMap(({ name, measured }): ReadinessCheck[] => {
    const unseen = [...new Set(eventsOf(measured))].filter((event) => !isSeen(event, events))
    return unseen.map((event) => ({
      name: 'metric-events',
      severity: 'warning',
      field: 'metrics',
      sentence: `“${name}” measures “${event}”, which was not seen in the last 30 days. ${suggestion(event, events)}`,
    }))
  })
  if (problems.length > 0 || metrics.length === 0) return problems
  return [
    {
      name: 'metric-events',
      severity: 'passed',
      sentence: 'The events of all metrics were seen in the last 30 days.',
    },
  ]
}

const isSeen = (event: string, events: readonly EventCount[]): boolean =>
  events.some(({ name, count }) => name === event && count > 0)

function suggestion(event: string, events: readonly EventCount[]): string {
  const nearest = nearestName(
    event,
    events.map(({ name }) => name),
  )
  return nearest === undefined ? 'Check that it is sent.' : `Is it “${nearest}”?`
}

const eventsOf = (measured: MeasuredMetric): string[] =>
  matchersOf(measured).flatMap(({ event }) => event ?? [])

function exposureCheck({ exposure, flag }: Experiment, events: readonly EventCount[]): ReadinessCheck {
  const { event } = exposureSource({ exposure, flag })
  if (isSeen(event, events))
    return { name: 'exposure', severity: 'passed', sentence: `Exposures arrive as “${event}”.` }
  return {
    name: 'exposure',
    severity: 'warning',
    field: 'exposure',
    sentence:
      exposure.by === 'event'
        ? `Exposures come from “${event}”, which was not seen in the last 30 days. ${suggestion(event, events)}`
        : `No client has sent “${event}” in the last 30 days. Until one reads the flag, no one is exposed.`,
  }
}
