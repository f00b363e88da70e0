import { z } from 'zod'
import type { Insights } from '#insights/ask'
import { periodOn, periodText, type Period } from '#insights/calendar/period'
import { requireRight, type Viewer } from '#projects/access'
import { failedOutcome, type Outcome, parseInput } from '#projects/problems'
import type { Projects } from '#projects/projects'
import { wilsonInterval } from '#statistics/proportions'
import { isMismatch, mismatchAlarm } from '#statistics/sample-ratio'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import type { Conclusion, Experiment, ExperimentMetric } from '../experiment'
import { experimentsOf } from '../internal/store'
import { lookAt } from '../results/decision'
import { analyse, smallestArmOf } from '../results/internal/analyse'
import type { KeptAnswers } from '../results/internal/kept-answers'
import { experimentQueryOf, measuredExperiment } from '../results/internal/measured-experiment'
import type { EffectEstimate, EstimatedComparison, ExperimentReport, MetricReport } from '../results/report'
import type {
  ExperimentProgramme,
  KnownProgrammeEffect,
  ProgrammeEffect,
  ProgrammeExperiment,
  ProgrammeOutcomes,
  UnknownEffectReason,
  WinRate,
} from './experiment-programme'
import { canMultiply, effectsTogether, type RelativeEffect } from './internal/effects-together'
import { sharedMetrics } from './internal/programme-metrics'

interface ProgrammeDependencies {
  store: Store
  world: World
  insights: Pick<Insights, 'settingsOf'>
  projects: Pick<Projects, 'numbered'>
  answers: KeptAnswers
}

export const programmeInput = z.strictObject({
  period: periodText.default('12mo').meta({ description: 'The experiments that ended in it' }),
  metric: z.string().min(1).max(100).optional().meta({
    description: 'The key of one of `metrics`; the one that most experiments have, if it is left out',
  }),
  search: z.string().trim().max(200).optional().meta({
    description:
      'Words in the name, hypothesis, flag, conclusion or notes; the figures are of all experiments',
  }),
})

/** An experiment that is over. */
interface EndedExperiment extends Experiment {
  startedAt: Date
  endedAt: Date
  conclusion: Conclusion
}

/** The effects of an experiment’s variants on a metric, of which one is shown. */
interface VariantEffects {
  shown: Omit<KnownProgrammeEffect, 'shrunk'> | UnknownEffectReason
  variants: (RelativeEffect & { variant: string })[]
}

/** Effects that are not kept are computed as long as this; others are computed in the background. */
const computedWithinMs = 3000

/** Reads what the experiments of a period say together. */
export class ProgrammeReports {
  constructor(private readonly dependencies: ProgrammeDependencies) {}

  async read(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ programme: ExperimentProgramme }>> {
    requireRight('experiments:read', projectId, viewer)
    const parsed = parseInput(programmeInput, input)
    if (!parsed.done) return parsed
    const { metric: wanted, search, period: text } = parsed.value
    const all = (await experimentsOf(this.dependencies.store, projectId)).filter(isInProgramme)
    const period = this.periodOf(projectId, text, all)
    const ended = all
      .filter(({ endedAt }) => endedAt >= period.from && endedAt < period.until)
      .toSorted((one, other) => other.endedAt.getTime() - one.endedAt.getTime())
    const { metrics, metricOf } = sharedMetrics(ended)
    const metric = wanted === undefined ? metrics[0] : metrics.find(({ key }) => key === wanted)
    if (wanted !== undefined && !metric)
      return failedOutcome(`No experiment that ended in this period has the metric "${wanted}".`, 'metric')
    const effects = await this.effectsOf(ended, (one) => metric && metricOf(one, metric.key))
    return {
      done: true,
      programme: {
        period,
        metric,
        metrics,
        ended: ended.length,
        outcomes: outcomesOf(ended),
        winRate: winRateOf(ended),
        ...together(ended, effects, search),
      },
    }
  }

  private periodOf(projectId: number, text: string, all: readonly EndedExperiment[]): Period {
    const { projects, insights, world } = this.dependencies
    const project = projects.numbered(projectId)
    const now = world.now()
    const first = all.reduce((earliest, { endedAt }) => (endedAt < earliest ? endedAt : earliest), now)
    const timeZone = project?.timeZone ?? 'UTC'
    const weekStart = project ? insights.settingsOf(project).weekStart : 'monday'
    return periodOn({ timeZone, weekStart, now }, text, first)
  }

  private async effectsOf(
    ended: readonly EndedExperiment[],
    metricOf: (experiment: EndedExperiment) => ExperimentMetric | undefined,
  ): Promise<VariantEffects[]> {
    const endsAt = performance.now() + computedWithinMs
    const effects: VariantEffects[] = []
    // one after the other: a page with many experiments takes no more of the engine than another
    for (const experiment of ended) {
      const metric = metricOf(experiment)
      effects.push(
        metric ? await this.effectsOn(metric, experiment, endsAt - performance.now()) : unknown('no-metric'),
      )
    }
    return effects
  }

  private async effectsOn(
    metric: ExperimentMetric,
    experiment: EndedExperiment,
    withinMs: number,
  ): Promise<VariantEffects> {
    const { world, answers } = this.dependencies
    const found = await measuredExperiment(this.dependencies, experiment, world.now(), { isDecision: true })
    if (!found.done) return unknown('no-flag')
    const { measured } = found
    const { variants, startedAt, until } = measured
    const outcome = await answers.askForList(experiment, experimentQueryOf(measured), { until, withinMs })
    if (!outcome.done) return unknown('no-answer')
    const { answer } = outcome
    if (!answer) return unknown('pending')
    const { analysis, sizeReachedAt } = experiment
    const smallestArm = smallestArmOf(answer, variants)
    const isReached = sizeReachedAt !== undefined
    const look = lookAt(analysis, { startedAt, until, smallestArm, isReached })
    const report = analyse(measured, answer, look)
    if (hasBrokenSplit(report)) return unknown('split')
    const plain = analysis.prior
      ? analyse({ ...measured, experiment: withoutPrior(experiment) }, answer, look)
      : report
    const metricIn = ({ metrics }: ExperimentReport) => metrics.find(({ id }) => id === metric.id)
    const [shown, pooled] = [metricIn(report), metricIn(plain)]
    return shown && pooled ? variantEffects(experiment, shown, pooled) : unknown('no-metric')
  }
}

const isInProgramme = (experiment: Experiment): experiment is EndedExperiment =>
  experiment.kind !== 'rollout' &&
  experiment.startedAt !== undefined &&
  experiment.endedAt !== undefined &&
  experiment.conclusion !== undefined

function withoutPrior({ analysis: { prior: _, ...analysis }, ...experiment }: Experiment): Experiment {
  return { ...experiment, analysis }
}

/** The variants were not met by comparable people, so that nothing is concluded from them. */
const hasBrokenSplit = ({ phases, weightedSplit }: ExperimentReport): boolean =>
  (weightedSplit !== undefined && weightedSplit.p < mismatchAlarm) ||
  phases.some(({ ratio }) => ratio && isMismatch(ratio))

const unknown = (shown: UnknownEffectReason): VariantEffects => ({ shown, variants: [] })

/** The variant that everyone got, if that is another one than the control. */
const winnerOf = ({ conclusion: { outcome, variant }, control }: EndedExperiment): string | undefined =>
  outcome === 'shipped' && variant !== control ? variant : undefined

function outcomesOf(ended: readonly EndedExperiment[]): ProgrammeOutcomes {
  const count = (outcome: Conclusion['outcome']) =>
    ended.filter(({ conclusion }) => conclusion.outcome === outcome).length
  return { shipped: count('shipped'), stopped: count('stopped'), undecided: count('undecided') }
}

function winRateOf(ended: readonly EndedExperiment[]): WinRate | undefined {
  if (ended.length === 0) return undefined
  const wins = ended.filter(winnerOf).length
  return { wins, of: ended.length, ...wilsonInterval({ count: wins, size: ended.length }) }
}

/** Every variant says how large effects are, one of each experiment is shown. */
function variantEffects(
  experiment: EndedExperiment,
  { goal, comparisons }: MetricReport,
  plain: MetricReport,
): VariantEffects {
  const winner = winnerOf(experiment)
  const variants = plain.comparisons.flatMap((one) => {
    const effect = relativeOf(one)
    return effect && canMultiply(effect)
      ? [{ ...effect, variant: one.variant, isShipped: one.variant === winner }]
      : []
  })
  const sign = goal === 'increase' ? 1 : -1
  const best = variants.toSorted((one, other) => sign * (other.value - one.value))[0]?.variant
  const variant = winner ?? best ?? comparisons[0]?.variant
  const comparison = comparisons.find((one) => one.variant === variant)
  const isKnown = variants.some((one) => one.variant === variant)
  const measured = isKnown && comparison && relativeOf(comparison)
  if (!measured || comparison.state !== 'estimated') {
    const reason = comparison?.state === 'no-estimate' ? comparison.reason : 'no-relative'
    return { shown: reason, variants }
  }
  const { value, low, high } = measured
  const { level } = experiment.analysis
  const { reading } = comparison
  return {
    shown: { state: 'known', variant: comparison.variant, reading, level, measured: { value, low, high } },
    variants,
  }
}

/** The estimate that is shown and judged by: after the adjustment, where there is one. */
const relativeOf = (comparison: MetricReport['comparisons'][number]): EffectEstimate | undefined =>
  comparison.state === 'estimated' ? adjustedOf(comparison).relative : undefined

const adjustedOf = (comparison: EstimatedComparison) => comparison.adjusted ?? comparison

function together(
  ended: readonly EndedExperiment[],
  effects: readonly VariantEffects[],
  search: string | undefined,
): Pick<ExperimentProgramme, 'shippedEffect' | 'pending' | 'experiments'> {
  const population = effects.flatMap(({ variants }, experiment) =>
    variants.map((effect) => ({ ...effect, experiment })),
  )
  const { shipped, shrunk } = effectsTogether(population)
  const shrunkOf = (experiment: number, variant: string) =>
    shrunk[population.findIndex((one) => one.experiment === experiment && one.variant === variant)]
  const rows = ended.map((experiment, index): ProgrammeExperiment => {
    const { id, name, flag, kind, hypothesis, notes, startedAt, endedAt, conclusion } = experiment
    const shown = effects[index]?.shown ?? 'no-metric'
    const effect: ProgrammeEffect =
      typeof shown === 'string'
        ? { state: 'unknown', reason: shown }
        : { ...shown, shrunk: shrunkOf(index, shown.variant) }
    return { id, name, flag, kind, hypothesis, notes, startedAt, endedAt, conclusion, effect }
  })
  const known = population.filter(({ isShipped }) => isShipped).length
  return {
    shippedEffect: shipped && { ...shipped, variants: known, unknown: ended.filter(winnerOf).length - known },
    pending: effects.filter(({ shown }) => shown === 'pending').length,
    experiments: rows.filter(
      (row) => search === undefined || learningText(row).includes(search.toLowerCase()),
    ),
  }
}

const learningText = ({ name, hypothesis, flag, notes, conclusion }: ProgrammeExperiment): string =>
  [name, hypothesis, flag, notes, conclusion.note, conclusion.variant].join('\n').toLowerCase()
