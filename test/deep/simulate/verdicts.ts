import type { ExperimentCell, MetricMoments } from '#insights/kinds/experiment/answer'
import { planOf } from '#experiments/planning/plan'
import type { AnalysisSettings, DecisionRule, ExperimentMetric } from '#experiments/experiment'
import { lookAt } from '#experiments/results/decision'
import { analyse, smallestArmOf } from '#experiments/results/internal/analyse'
import { type ExperimentVerdict, verdictOf } from '#experiments/results/verdict'
import type { Simulation } from './simulations'

/** Experiments whose result is read every day, each time by what a person would be told then. */
interface SimulatedExperiments {
  decision: DecisionRule
  method: AnalysisSettings['method']
  variants: number
  primary: number
  guardrails: number
  /** Of a unit's conversion by each metric, without any effect. */
  chance: number
  days: number
  /** Units in each variant, each day. */
  unitsPerDay: number
  /** The relative effect of the first variant on the first metric. */
  effect: number
  smallestEffect: number
}

const usual: SimulatedExperiments = {
  decision: { rule: 'any-time' },
  method: 'bayesian',
  variants: 2,
  primary: 1,
  guardrails: 0,
  chance: 0.1,
  days: 28,
  unitsPerDay: 200,
  effect: 0,
  smallestEffect: 0.05,
}

const settingsOf = ({
  method,
  decision,
  smallestEffect,
}: Pick<SimulatedExperiments, 'method' | 'decision' | 'smallestEffect'>): AnalysisSettings => ({
  method,
  decision,
  level: 0.95,
  prior: undefined,
  lookbackDays: 0,
  smallestEffect,
  power: 0.8,
  minimumUnits: 50,
})

const metricsOf = ({ primary, guardrails }: SimulatedExperiments): ExperimentMetric[] =>
  Array.from({ length: primary + guardrails }, (_, i) => ({
    id: `m${i}`,
    name: `Metric ${i}`,
    role: i < primary ? 'primary' : 'guardrail',
    goal: 'increase',
    margin: 10,
    measured: { type: 'conversion', happening: { event: 'done' }, delayHours: 0, onlyComplete: false },
  }))

const startedAt = new Date('2026-03-02T00:00:00Z')
const dayMs = 86_400_000

const momentsOf = (count: number, n: number): MetricMoments => {
  const mean = n === 0 ? 0 : count / n
  return { n, means: [mean], deviations: [[n * mean * (1 - mean)]] }
}

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** A binomial number: counted where few are to be expected, by its normal approximation otherwise. */
function drawn(random: () => number, n: number, chance: number): number {
  if (n * chance < 30) {
    // the gaps between successes are geometric
    let [count, at] = [0, 0]
    for (;;) {
      at += Math.floor(Math.log(1 - random()) / Math.log(1 - chance)) + 1
      if (at > n) return count
      count++
    }
  }
  const drawnNumber = Math.round(n * chance + Math.sqrt(n * chance * (1 - chance)) * normal(random))
  return Math.min(n, Math.max(0, drawnNumber))
}

/** Reads one experiment every day until it is decided, and returns what was advised then. */
function decided(experiments: SimulatedExperiments, random: () => number): ExperimentVerdict {
  const { variants, days, unitsPerDay, chance, effect } = experiments
  const keys = Array.from({ length: variants }, (_, i) => `v${i}`)
  const metrics = metricsOf(experiments)
  const analysis = settingsOf(experiments)
  const experiment = { kind: 'fixed' as const, control: 'v0', metrics, analysis }
  const phases = [
    {
      startedAt,
      weights: Object.fromEntries(keys.map((key) => [key, 100 / variants])),
      hasFixedVariants: true,
    },
  ]
  const counts = keys.map(() => metrics.map(() => 0))
  let verdict: ExperimentVerdict = { advice: 'not-started' }
  for (let day = 1; day <= days; day++) {
    keys.forEach((_, v) =>
      metrics.forEach((_metric, m) => {
        const lifted = v === 1 && m === 0 ? chance * (1 + effect) : chance
        const row = counts[v]
        if (row) row[m] = (row[m] ?? 0) + drawn(random, unitsPerDay, lifted)
      }),
    )
    const units = day * unitsPerDay
    const cells: ExperimentCell[] = keys.map((variant, v) => ({
      variant,
      phase: 0,
      segment: '',
      day: '',
      units,
      metrics: (counts[v] ?? []).map((count) => momentsOf(count, units)),
    }))
    const answer = { cells, exposed: [], limits: [] }
    const until = new Date(startedAt.getTime() + day * dayMs)
    const smallestArm = smallestArmOf(answer, keys)
    const look = lookAt(analysis, { startedAt, until, smallestArm, isReached: false })
    const report = analyse({ experiment, variants: keys, phases, currency: 'EUR' }, answer, look)
    verdict = verdictOf(report, { analysis, look, days: day, isRunning: true, isRollout: false })
    if (verdict.advice !== 'wait' || look === 'planned') return verdict
  }
  return verdict
}

/** The percentage of experiments that are decided so. */
const decidedAs =
  (experiments: SimulatedExperiments, advice: readonly ExperimentVerdict['advice'][]): Simulation['run'] =>
  (count, random) => {
    let found = 0
    for (let i = 0; i < count; i++) found += advice.includes(decided(experiments, random).advice) ? 1 : 0
    return (100 * found) / count
  }

const rules: readonly { name: string; decision: DecisionRule }[] = [
  { name: 'at any time', decision: { rule: 'any-time' } },
  { name: 'at the planned size', decision: { rule: 'planned-size', units: 14 * usual.unitsPerDay } },
  { name: 'after two whole weeks', decision: { rule: 'whole-weeks', weeks: 2 } },
]

const shapes: readonly Pick<SimulatedExperiments, 'variants' | 'primary' | 'guardrails'>[] = [
  { variants: 2, primary: 1, guardrails: 0 },
  { variants: 2, primary: 2, guardrails: 3 },
  { variants: 3, primary: 1, guardrails: 1 },
  { variants: 4, primary: 5, guardrails: 2 },
]

const shapeInWords = ({ variants, primary, guardrails }: (typeof shapes)[number]): string =>
  `${variants} variants, ${primary} primary, ${guardrails} guardrails`

const methods = ['bayesian', 'frequentist'] as const

/** Without a prior both methods decide alike, which the first shape shows. */
const withMethods = <Shape>(all: readonly Shape[]): { shape: Shape; method: AnalysisSettings['method'] }[] =>
  all.flatMap((shape, i) =>
    (i === 0 ? methods : (['bayesian'] as const)).map((method) => ({ shape, method })),
  )

const falseVerdicts: readonly Simulation[] = rules.flatMap(({ name, decision }) =>
  withMethods(shapes).flatMap(({ shape, method }) => {
    const experiments = { ...usual, ...shape, decision, method }
    const about = `A/A, decided ${name}, 28 daily looks, ${method}, ${shapeInWords(shape)}`
    return [
      {
        name: `${about}: any false verdict, %`,
        run: decidedAs(experiments, ['ship', 'stop']),
        least: 0,
        most: 5,
      },
      { name: `${about}: false Ship, %`, run: decidedAs(experiments, ['ship']), least: 0, most: 2.5 },
    ]
  }),
)

/** The planned size is that of the product's own plan, for an effect of 20%. */
function plannedSize(experiments: SimulatedExperiments): number {
  const plan = planOf(
    {
      metrics: metricsOf(experiments),
      analysis: settingsOf({ ...experiments, decision: { rule: 'planned-size', units: 50 } }),
      arms: Array.from({ length: experiments.variants }, (_, i) => ({
        variant: `v${i}`,
        percentage: 100 / experiments.variants,
      })),
      trafficPercent: 100,
      currency: 'EUR',
      source: { by: 'exposures' },
      from: startedAt,
      until: new Date(startedAt.getTime() + 30 * dayMs),
    },
    {
      days: [{ day: '2026-03-02', units: 1_000_000 }],
      values: [{ metrics: metricsOf(experiments).map(() => momentsOf(100_000, 1_000_000)) }],
    },
  )
  return Math.max(...plan.metrics.map(({ unitsNeeded }) => unitsNeeded ?? 0))
}

const power: readonly Simulation[] = withMethods(shapes.filter(({ primary }) => primary === 1)).map(
  ({ shape, method }) => {
    const experiments = { ...usual, ...shape, method, effect: 0.2, smallestEffect: 0.2 }
    const units = plannedSize(experiments)
    const planned = {
      ...experiments,
      decision: { rule: 'planned-size' as const, units },
      days: 14,
      unitsPerDay: Math.ceil(units / 14),
    }
    return {
      name: `An effect of 20%, read daily and decided at the planned size, ${method}, ${shapeInWords(shape)}: Ship, %`,
      run: decidedAs(planned, ['ship']),
      least: 78,
      most: 97,
    }
  },
)

export const verdictSimulations: readonly Simulation[] = [...falseVerdicts, ...power]
