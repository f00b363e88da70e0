import { z } from 'zod'
import { failedOutcome, type FailedOutcome, type Outcome } from '#projects/problems'
import { metricFrom, type MetricContext } from './experiment-metrics'

const theirExperiment = z.looseObject({
  name: z.string(),
  description: z.string().nullish(),
  feature_flag_key: z.string(),
  feature_flag: z
    .looseObject({
      filters: z.looseObject({ aggregation_group_type_index: z.number().nullish() }).nullish(),
    })
    .nullish(),
  parameters: z.looseObject({ minimum_detectable_effect: z.number().nullish() }).nullish(),
  exposure_criteria: z
    .looseObject({
      filterTestAccounts: z.boolean().nullish(),
      multiple_variant_handling: z.string().nullish(),
      exposure_config: z
        .looseObject({
          kind: z.string().nullish(),
          event: z.string().nullish(),
          properties: z.array(z.unknown()).nullish(),
        })
        .nullish(),
    })
    .nullish(),
  stats_config: z.looseObject({ method: z.string().nullish() }).nullish(),
  metrics: z.array(z.unknown()).nullish(),
  metrics_secondary: z.array(z.unknown()).nullish(),
  saved_metrics: z
    .array(
      z.looseObject({
        name: z.string().nullish(),
        query: z.unknown(),
        metadata: z.looseObject({ type: z.string().nullish() }).nullish(),
      }),
    )
    .nullish(),
  holdout_id: z.number().nullish(),
})
type TheirExperiment = z.infer<typeof theirExperiment>

/** An experiment in Tilth's form, and what it loses. */
interface ReadExperiment {
  input: Record<string, unknown> & { metrics: object[] }
  /** A sentence for each metric that has no counterpart. */
  lostMetrics: string[]
  leavesOutTestAccounts: boolean
}

/** Reads an experiment in PostHog's form. */
export function experimentInputFrom(given: unknown, context: MetricContext): Outcome<ReadExperiment> {
  const read = theirExperiment.safeParse(given)
  if (!read.success) return failedOutcome('It is in a form that is unknown here.')
  const unit = unitOf(read.data, context)
  if (!unit.done) return unit
  const exposure = exposureOf(read.data, context)
  if (!exposure.done) return exposure
  const { metrics, lostMetrics } = metricsOf(read.data, context)
  const { name, description, feature_flag_key: flag, exposure_criteria: criteria } = read.data
  return {
    done: true,
    lostMetrics,
    leavesOutTestAccounts: criteria?.filterTestAccounts === true,
    input: {
      name,
      hypothesis: (description ?? '').slice(0, 5000),
      flag,
      unit: unit.unit,
      exposure: exposure.exposure,
      severalVariants: criteria?.multiple_variant_handling === 'first_seen' ? 'first' : 'exclude',
      metrics,
      analysis: analysisOf(read.data),
    },
  }
}

function analysisOf({ parameters, stats_config }: TheirExperiment): object {
  const percent = parameters?.minimum_detectable_effect ?? 0
  const method = methods[stats_config?.method ?? '']
  return {
    ...(method && { method }),
    ...(percent > 0 && percent <= 1000 && { smallestEffect: percent / 100 }),
  }
}

const methods: Readonly<Record<string, string | undefined>> = {
  bayesian: 'bayesian',
  frequentist: 'frequentist',
}

function unitOf({ feature_flag }: TheirExperiment, { groupTypes }: MetricContext): Outcome<{ unit: object }> {
  const index = feature_flag?.filters?.aggregation_group_type_index
  if (index === null || index === undefined) return { done: true, unit: { by: 'person' } }
  const group = groupTypes[String(index)]
  return group === undefined
    ? failedOutcome(`It is of groups of the type number ${index}, which has no name.`)
    : { done: true, unit: { by: 'group', group } }
}

const flagEvent = '$feature_flag_called'

function exposureOf(
  { exposure_criteria, feature_flag_key }: TheirExperiment,
  { filterOf }: MetricContext,
): Outcome<{ exposure: object }> {
  const config = exposure_criteria?.exposure_config
  const event = config?.event ?? flagEvent
  if (config?.kind && config.kind !== 'ExperimentEventExposureConfig' && config.kind !== 'EventsNode')
    return failedOutcome(`Its exposure is of the kind “${config.kind}”, which Tilth does not have.`)
  if (event === flagEvent) return { done: true, exposure: { by: 'flag' } }
  const filtered = filterOf(config?.properties)
  if (!filtered.done) return filtered
  return {
    done: true,
    exposure: {
      by: 'event',
      event,
      property: `$feature/${feature_flag_key}`,
      ...(filtered.filter && { filter: filtered.filter }),
    },
  }
}

function metricsOf(
  experiment: TheirExperiment,
  context: MetricContext,
): { metrics: object[]; lostMetrics: string[] } {
  const all = [
    ...(experiment.metrics ?? []).map((given) => ({ given, role: 'primary', name: undefined })),
    ...(experiment.metrics_secondary ?? []).map((given) => ({ given, role: 'secondary', name: undefined })),
    ...(experiment.saved_metrics ?? []).map(({ query, name, metadata }) => ({
      given: query,
      role: metadata?.type === 'secondary' ? 'secondary' : 'primary',
      name,
    })),
  ]
  const metrics: object[] = []
  const lostMetrics: string[] = []
  for (const [index, { given, role, name }] of all.entries()) {
    const read = metricFrom(given, context, name ?? `Metric ${index + 1}`)
    if (read.done) metrics.push({ ...read.metric, role })
    else lostMetrics.push(`Its metric ${index + 1} is not here: ${messagesOf(read)}`)
  }
  return { metrics, lostMetrics }
}

const messagesOf = ({ problems }: FailedOutcome): string => problems.map(({ message }) => message).join(' ')
