import { z } from 'zod'
import type { Experiment } from '#experiments/experiment'
import type { ExperimentResult } from '#experiments/results/experiment-results'
import type { ExposureReport } from '#experiments/results/exposures'
import type { MetricReport } from '#experiments/results/report'
import { instantText, type PosthogCall, type PosthogOutcome, refused, success } from './endpoint'
import { metricToPosthog } from './experiment-metric-form'
import { experimentNamed } from './experiments'

const ofExperiment = z.looseObject({
  experiment_id: z.number(),
  metric: z.looseObject({ uuid: z.string().nullish() }).nullish(),
})

async function experimentOfQuery(call: PosthogCall, query: unknown): Promise<Experiment | undefined> {
  const read = ofExperiment.safeParse(query)
  return read.success ? await experimentNamed(call, String(read.data.experiment_id)) : undefined
}

const noExperiment = refused('There is no experiment with this experiment_id.', 'query.experiment_id')

const isFresh = ({ input }: PosthogCall): boolean =>
  typeof input['refresh'] === 'string' && input['refresh'].startsWith('force')

/** Answers PostHog's ExperimentExposureQuery. */
export async function answerExposures(query: unknown, call: PosthogCall): Promise<PosthogOutcome> {
  const experiment = await experimentOfQuery(call, query)
  if (!experiment) return noExperiment
  const { product, project, viewer } = call
  const options = { isFresh: isFresh(call) }
  const outcome = await product.experiments.results.exposures(project.id, experiment.id, {}, viewer, options)
  if (!outcome.done) return outcome
  const { totals } = outcome.report
  return success({
    kind: 'ExperimentExposureQuery',
    timeseries: seriesOf(outcome.report),
    total_exposures: Object.fromEntries(totals.map(({ variant, units }) => [variant, units])),
    date_range: {
      date_from: instantText(experiment.startedAt) ?? instantText(experiment.createdAt),
      date_to: instantText(experiment.endedAt),
    },
  })
}

/** The units of each variant by the end of each day. */
function seriesOf({ variants, groups }: ExposureReport) {
  const days = groups
    .filter(({ dimension }) => dimension === 'day')
    .toSorted((one, other) => (one.value < other.value ? -1 : 1))
  return variants.map((variant) => {
    let sum = 0
    const counts = days.map((day) => (sum += day.variants.find((one) => one.variant === variant)?.units ?? 0))
    return { variant, days: days.map(({ value }) => value), exposure_counts: counts }
  })
}

/** Answers PostHog's ExperimentQuery: one metric of an experiment, by its uuid. */
export async function answerMetric(query: unknown, call: PosthogCall): Promise<PosthogOutcome> {
  const experiment = await experimentOfQuery(call, query)
  if (!experiment) return noExperiment
  const { product, project, viewer } = call
  const options = { isFresh: isFresh(call) }
  const outcome = await product.experiments.results.result(project.id, experiment.id, viewer, options)
  if (!outcome.done) return outcome
  const uuid = ofExperiment.parse(query).metric?.uuid
  const metric = experiment.metrics.find(({ id }) => id === uuid)
  if (!metric)
    return refused(
      'Name a metric of the experiment by its uuid. Others are measured once they belong to it.',
      'query.metric',
    )
  const report = outcome.result.report?.metrics.find(({ id }) => id === metric.id)
  return success({
    kind: 'ExperimentQuery',
    metric: metricToPosthog(metric),
    ...resultOf(outcome.result, report),
  })
}

function resultOf(
  { report: whole, sentence, until }: ExperimentResult,
  report: MetricReport | undefined,
): object {
  const control = whole?.control ?? ''
  const valueOf = (variant: string) => report?.values.find((one) => one.variant === variant)
  const counts = (variant: string) => {
    const { units = 0, value = null } = valueOf(variant) ?? {}
    return { key: variant, number_of_samples: units, value, sum: value === null ? 0 : value * units }
  }
  return {
    baseline: counts(control),
    variant_results: (report?.comparisons ?? []).map((one) => ({ ...counts(one.variant), ...effectOf(one) })),
    tilth_sentence: sentence,
    last_refresh: until.toISOString(),
  }
}

/** The relative effect where there is one, with the chance or the p-value of the experiment's method. */
function effectOf(comparison: MetricReport['comparisons'][number]): object {
  if (comparison.state === 'no-estimate')
    return { significant: false, validation_failures: [comparison.reason], credible_interval: null }
  const { relative, absolute } = comparison.adjusted ?? comparison
  const { value, low, high, chance, p } = relative ?? absolute
  return {
    method: chance === undefined ? 'frequentist' : 'bayesian',
    effect: value,
    [chance === undefined ? 'confidence_interval' : 'credible_interval']: [low, high],
    ...(chance === undefined ? { p_value: p ?? null } : { chance_to_win: chance }),
    significant: comparison.reading === 'better' || comparison.reading === 'worse',
    validation_failures: [],
  }
}
