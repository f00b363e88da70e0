import type { GuardMetric, RampStep } from '#flags/guard'

export const paces: Record<string, { label: string; hint: string; steps: readonly RampStep[] }> = {
  day: {
    label: '1 day',
    hint: '5, 25, 50, 100%: a step every 6 hours',
    steps: ramp([5, 25, 50, 100], 6 * 60),
  },
  days: {
    label: '4 days',
    hint: '1, 10, 25, 50, 100%: a step a day',
    steps: ramp([1, 10, 25, 50, 100], 24 * 60),
  },
  hour: {
    label: '1 hour',
    hint: '10, 50, 100%: a step every 20 minutes',
    steps: ramp([10, 50, 100], 20),
  },
}

function ramp(percentages: readonly number[], everyMinutes: number): RampStep[] {
  return percentages.map((percentage, index) => ({ percentage, afterMinutes: index * everyMinutes }))
}

/** A rollout never begins with fewer people than it reaches already. */
export const stepsFrom = (steps: readonly RampStep[], percentage: number): RampStep[] => {
  const ahead = steps.filter((step) => step.percentage >= percentage)
  const [first] = ahead
  return ahead.map((step) => ({ ...step, afterMinutes: step.afterMinutes - (first?.afterMinutes ?? 0) }))
}

type MetricName = 'exceptions' | 'LCP' | 'INP' | 'CLS' | 'event' | 'goal'

export interface MetricDraft {
  id: number
  what: MetricName
  /** The event's name, or the goal's id. */
  which: string | undefined
  worse: number
}

let lastId = 0

export const newMetric = (what: MetricName = 'exceptions'): MetricDraft => ({
  id: ++lastId,
  what,
  which: undefined,
  worse: 20,
})

/** Undefined while it is not chosen whole. */
export function metricOf({ what, which, worse }: MetricDraft): GuardMetric | undefined {
  if (what === 'exceptions') return { type: 'exceptions', worse }
  if (what === 'event') return which === undefined ? undefined : { type: 'event', event: which, worse }
  if (what === 'goal') return which === undefined ? undefined : { type: 'goal', goal: which, worse }
  return { type: 'vital', vital: what, worse }
}

/** A guarded rollout on its way. */
export interface GuardDraft {
  pace: string
  /** The index of the condition set that grows from 0. */
  set: number
  /** The compared variant; any value but "off" if absent. */
  variant: string | undefined
  metrics: MetricDraft[]
  minimum: number
  waitsForPeople: boolean
}

export const newGuardDraft = (): GuardDraft => ({
  pace: 'day',
  set: 0,
  variant: undefined,
  metrics: [newMetric()],
  minimum: 100,
  waitsForPeople: true,
})

export const isGuardComplete = ({ metrics }: GuardDraft): boolean =>
  metrics.length > 0 && metrics.every((metric) => metricOf(metric) !== undefined)

/** Converts a draft to the product's input. `percentages` are the current ones of each set. */
export const guardInput = (
  { pace, set, variant, metrics, minimum, waitsForPeople }: GuardDraft,
  percentages: readonly number[],
) => ({
  set,
  ...(variant !== undefined && { variant }),
  steps: stepsFrom(paces[pace]?.steps ?? [], percentages[set] ?? 0),
  metrics: metrics.flatMap((metric) => metricOf(metric) ?? []),
  minimum,
  waitsForPeople,
})
