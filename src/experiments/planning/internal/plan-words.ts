import { number, percent } from '#ui/format'
import type { AnalysisSettings } from '../../experiment'
import type { PlannedExperiment } from '../history'
import type { ExperimentPlan, MetricPlan, MissingHistory } from '../plan'

/** The effect to be found, the rule of the decision, and since when the experiment runs. */
type Timing = Pick<PlannedExperiment, 'analysis' | 'startedAt'>

/** Returns the plan's source and the running time of the experiment as sentences. */
export function planInWords(plan: ExperimentPlan, experiment: Timing): string[] {
  return [
    sourceInWords(plan),
    ...runningTimeInWords(plan, experiment),
    ...plan.metrics.flatMap((metric) => (metric.missing ? [missingInWords(metric, metric.missing)] : [])),
  ]
}

function sourceInWords({ source, history: { from, until, units } }: ExperimentPlan): string {
  const days = Math.floor((until.getTime() - from.getTime()) / 86_400_000)
  const within = `in the last ${days} days`
  if (source.by === 'exposures') return `${number(units)} units were exposed ${within}.`
  if (source.by === 'event') {
    const event = source.path === undefined ? `“${source.event}”` : `“${source.event}” at ${source.path}`
    return units === 0
      ? `${event} was not seen ${within}. Name another event.`
      : `${number(units)} units had ${event} ${within}; each is taken to be exposed by the first.`
  }
  return units === 0
    ? `There were no events ${within}, so nothing can be planned.`
    : `The flag was not read ${within}. The plan takes all ${number(units)} active units to be exposed; name the page or the event where they meet the experiment.`
}

export function runningTimeInWords(plan: RunningTime, experiment: Timing): string[] {
  const primary = plan.metrics.filter(({ role }) => role === 'primary')
  if (plan.history.units === 0 || primary.every(({ missing }) => missing)) return []
  const sentence = decisionInWords(plan, experiment.analysis)
  return [...(sentence === undefined ? [] : [sentence]), effectInWords(plan, experiment)]
}

type RunningTime = Pick<ExperimentPlan, 'metrics' | 'days' | 'decision' | 'history'>

/** When a planned decision falls, and what it finds. */
function decisionInWords({ decision }: RunningTime, { decision: rule, power }: AnalysisSettings) {
  if (!decision || rule.rule === 'any-time') return undefined
  const size = rule.rule === 'planned-size' ? ` with ${number(rule.units)} people in each variant` : ''
  if (decision.days === null) return `Deciding${size} takes more than a year.`
  const finds =
    decision.effect === null
      ? ''
      : `, and finds effects of ${percent(decision.effect, 1)} or more with a probability of ${percent(power, 1)}`
  const about = rule.rule === 'planned-size' ? 'about ' : ''
  return `It decides${size} after ${about}${daysInWords(decision.days)}${finds}.`
}

function effectInWords({ days }: RunningTime, { analysis, startedAt }: Timing): string {
  const effect = percent(analysis.smallestEffect, 1)
  if (days === null)
    return `An effect of ${effect} takes more than a year to find. Look for a larger one, or measure what happens more often.`
  const since = startedAt ? ' from the start' : ''
  return `An effect of ${effect} takes about ${daysInWords(days)}${since} to find.`
}

const daysInWords = (days: number): string => (days === 1 ? 'a day' : `${days} days`)

const reasons: Readonly<Record<MissingHistory, string>> = {
  'no-units': 'no units in the history',
  'no-value': 'nothing of it happened in the history, so there is no baseline',
  'no-variance': 'every unit had the same value in the history',
}

const missingInWords = ({ name }: MetricPlan, missing: MissingHistory): string =>
  `“${name}” cannot be planned: ${reasons[missing]}.`
