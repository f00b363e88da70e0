import { type Experiment, statusOf } from '#experiments/experiment'
import type { Flag } from '#flags/flag'
import type { Outcome } from '#projects/problems'
import { z } from 'zod'
import { experimentInputFrom } from '../experiment-form'
import { filterFrom } from '../property-filters'
import {
  authorBody,
  findById,
  instantText,
  listed,
  missing,
  numberOf,
  pageParameters,
  type PosthogCall,
  type PosthogEndpoint,
  type PosthogOutcome,
  refused,
  success,
  unknownField,
  withoutFields,
} from './endpoint'
import { metricToPosthog, propertiesOf } from './experiment-metric-form'
import { flagBody, flagOf } from './flags'
import { groupTypesOf } from './projects'

const conclusions = ['won', 'lost', 'inconclusive', 'stopped_early', 'invalid'] as const
type PosthogConclusion = (typeof conclusions)[number]

/** The note of an end that came by this API begins with PostHog's word for it. */
const notedConclusion = /^(won|lost|inconclusive|stopped_early|invalid)(?:: ([^]*))?$/

interface ConclusionForm {
  conclusion: string | null
  conclusion_comment: string | null
}

function conclusionForm({ conclusion, control }: Experiment): ConclusionForm {
  if (!conclusion) return { conclusion: null, conclusion_comment: null }
  const { outcome, note, variant } = conclusion
  const [, word, comment] = notedConclusion.exec(note) ?? []
  if (word !== undefined) return { conclusion: word, conclusion_comment: comment ?? null }
  const ended = outcome === 'undecided' ? 'inconclusive' : 'stopped_early'
  const shipped = variant === control ? 'lost' : 'won'
  return { conclusion: outcome === 'shipped' ? shipped : ended, conclusion_comment: note || null }
}

function exposureConfigOf(exposure: Experiment['exposure']): object {
  if (exposure.by !== 'event') return {}
  const properties = exposure.filter ? propertiesOf(exposure.filter) : []
  return { exposure_config: { kind: 'ExperimentEventExposureConfig', event: exposure.event, properties } }
}

/** The metrics are in PostHog's form as far as it has them, and in Tilth's under a name of their own. */
function experimentBody(
  experiment: Experiment,
  flag: Flag | undefined,
  groupTypes: Readonly<Record<string, string>>,
) {
  const ofRole = (isPrimary: boolean) =>
    experiment.metrics.filter(({ role }) => (role === 'primary') === isPrimary).map(metricToPosthog)
  return {
    id: numberOf(experiment.id),
    name: experiment.name,
    description: experiment.hypothesis,
    type: experiment.web ? 'web' : 'product',
    feature_flag_key: experiment.flag,
    feature_flag: flag ? flagBody(flag, groupTypes) : null,
    parameters: {
      feature_flag_variants: (flag?.variants ?? []).map(({ key, name, percentage }) => ({
        key,
        name,
        rollout_percentage: percentage,
      })),
      minimum_detectable_effect: Math.round(experiment.analysis.smallestEffect * 1e6) / 1e4,
    },
    metrics: ofRole(true),
    metrics_secondary: ofRole(false),
    saved_metrics: [],
    saved_metrics_ids: null,
    exposure_criteria: {
      multiple_variant_handling: experiment.severalVariants === 'first' ? 'first_seen' : 'exclude',
      ...exposureConfigOf(experiment.exposure),
    },
    exposure_cohort: null,
    holdout: null,
    holdout_id: null,
    stats_config: { method: experiment.analysis.method === 'bayesian' ? 'bayesian' : 'frequentist' },
    start_date: instantText(experiment.startedAt),
    end_date: instantText(experiment.endedAt),
    archived: experiment.archivedAt !== undefined,
    deleted: false,
    created_at: experiment.createdAt.toISOString(),
    updated_at: experiment.changedAt.toISOString(),
    created_by: authorBody(experiment.createdBy),
    ...conclusionForm(experiment),
    tilth_metrics: experiment.metrics,
  }
}

async function bodiesOf(call: PosthogCall, experiments: readonly Experiment[]) {
  const { product, project, viewer } = call
  const flags = await product.flags.list(project.id, viewer)
  const groupTypes = await groupTypesOf(call)
  return experiments.map((one) =>
    experimentBody(
      one,
      flags.find(({ key }) => key === one.flag),
      groupTypes,
    ),
  )
}

const shown = async (call: PosthogCall, experiment: Experiment): Promise<PosthogOutcome> =>
  success((await bodiesOf(call, [experiment]))[0])

export async function experimentNamed(
  { product, project, viewer }: PosthogCall,
  id: string,
): Promise<Experiment | undefined> {
  return findById(await product.experiments.list(project.id, viewer), id)
}

/** Fields that PostHog computes or has for its own screens. */
const ignoredFields: ReadonlySet<string> = new Set([
  'id',
  'type',
  'created_at',
  'created_by',
  'updated_at',
  'feature_flag',
  'exposure_cohort',
  'holdout',
  'saved_metrics',
  'primary_metrics_ordered_uuids',
  'secondary_metrics_ordered_uuids',
  'tilth_metrics',
  'user_access_level',
  '_create_in_folder',
])

const experimentFields: ReadonlySet<string> = new Set([
  'name',
  'description',
  'feature_flag_key',
  'parameters',
  'metrics',
  'metrics_secondary',
  'exposure_criteria',
  'stats_config',
  'start_date',
  'end_date',
  'archived',
  'deleted',
  'conclusion',
  'conclusion_comment',
  'filters',
  'secondary_metrics',
  'saved_metrics_ids',
  'holdout_id',
])

/** Parts of PostHog's experiments that have no counterpart here, and what to do instead. */
const absentParts: Readonly<Record<string, string>> = {
  filters: 'Give the metrics as "metrics". Tilth does not take the older filters.',
  secondary_metrics: 'Give them as "metrics_secondary".',
  saved_metrics_ids: 'Give the metrics themselves.',
  holdout_id: 'Set a holdout on the flag.',
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)

function inputOf(call: PosthogCall): Outcome<{ given: Record<string, unknown> }> {
  const given = withoutFields(call.input, ignoredFields)
  const unknown = unknownField(given, experimentFields)
  if (unknown) return unknown
  const absent = Object.entries(absentParts).find(([field]) => !isEmpty(given[field]))
  return absent ? refused(absent[1], absent[0]) : { done: true, given }
}

type ExperimentInput = Record<string, unknown> & { metrics: object[] }

/** Translates an experiment; metrics and test accounts that would be left out refuse it. */
async function translated(
  call: PosthogCall,
  given: Record<string, unknown>,
): Promise<Outcome<{ fields: ExperimentInput }>> {
  const groupTypes = await groupTypesOf(call)
  const context = { groupTypes, filterOf: (filters: unknown) => filterFrom(filters, groupTypes) }
  const read = experimentInputFrom(given, context)
  if (!read.done) return read
  const [lost] = read.lostMetrics
  if (lost !== undefined) return refused(lost, 'metrics')
  if (read.leavesOutTestAccounts && call.project.answers['testAccounts'] !== undefined)
    return refused(
      'Experiments count test accounts here. Leave them out by a condition of the flag, and filterTestAccounts too.',
      'exposure_criteria',
    )
  return { done: true, fields: read.input }
}

const givenVariants = z
  .array(z.looseObject({ key: z.string(), name: z.string().nullish(), rollout_percentage: z.number() }))
  .min(2, 'An experiment compares at least two variants.')

const usualVariants = [
  { key: 'control', name: '', rollout_percentage: 50 },
  { key: 'test', name: '', rollout_percentage: 50 },
]

async function createExperiment(call: PosthogCall): Promise<PosthogOutcome> {
  const read = inputOf(call)
  if (!read.done) return read
  const { given } = read
  const input = await translated(call, given)
  if (!input.done) return input
  const created = await newExperiment(call, given, input.fields)
  if (!created.done) return created
  const outcome = await withState(call, created.experiment, given)
  return outcome.done ? await shown(call, outcome.experiment) : outcome
}

function variantsIn({ parameters }: Readonly<Record<string, unknown>>): unknown {
  const isGiven =
    typeof parameters === 'object' && parameters !== null && 'feature_flag_variants' in parameters
  return isGiven ? (parameters.feature_flag_variants ?? undefined) : undefined
}

const hasVariants = ({ variants }: Flag, given: unknown): boolean => {
  const read = givenVariants.safeParse(given)
  return (
    read.success &&
    read.data.length === variants.length &&
    read.data.every((one, index) => {
      const { key, percentage } = variants[index] ?? {}
      return one.key === key && one.rollout_percentage === percentage
    })
  )
}

type ExperimentOutcome = Outcome<{ experiment: Experiment }>

/** Makes an experiment of a flag that is there, with its variants, or with a flag of its own, as PostHog does. */
async function newExperiment(
  call: PosthogCall,
  given: Record<string, unknown>,
  fields: ExperimentInput,
): Promise<ExperimentOutcome> {
  const { product, project, viewer } = call
  const key = String(given['feature_flag_key'])
  const known = await flagOf(call, key)
  if (known) return await product.experiments.create(project.id, withControl(fields, known.variants), viewer)
  const read = givenVariants.safeParse(variantsIn(given) ?? usualVariants)
  if (!read.success)
    return refused(
      `The variants are not readable: ${z.prettifyError(read.error)}`,
      'parameters.feature_flag_variants',
    )
  const variants = read.data.map(({ key: variant, name, rollout_percentage }) => ({
    key: variant,
    name: name ?? '',
    percentage: rollout_percentage,
  }))
  const flag = { key, variants }
  return await product.experiments.createWithFlag(
    project.id,
    { flag, experiment: withControl(fields, variants) },
    viewer,
  )
}

/** PostHog compares with the variant "control", wherever it stands. */
const withControl = (fields: ExperimentInput, variants: readonly { key: string }[]) =>
  variants.some(({ key }) => key === 'control') ? { ...fields, control: 'control' } : fields

async function changeExperiment(call: PosthogCall): Promise<PosthogOutcome> {
  const { product, project, viewer } = call
  const experiment = await experimentNamed(call, call.part('experiment'))
  if (!experiment) return missing
  const read = inputOf(call)
  if (!read.done) return read
  const { given } = read
  if (given['deleted'] === true) return await shownIf(call, await archived(call, experiment))
  if (given['feature_flag_key'] !== undefined && given['feature_flag_key'] !== experiment.flag)
    return refused('The flag of an experiment stays.', 'feature_flag_key')
  const restored = given['archived'] === false && experiment.archivedAt
  const before: ExperimentOutcome = restored
    ? await product.experiments.restore(project.id, experiment.id, viewer)
    : { done: true, experiment }
  if (!before.done) return before
  const fields = await changesOf(call, given, before.experiment)
  if (!fields.done) return fields
  const changed: ExperimentOutcome =
    Object.keys(fields.changes).length > 0
      ? await product.experiments.change(project.id, experiment.id, fields.changes, viewer)
      : before
  return changed.done ? await shownIf(call, await withState(call, changed.experiment, given)) : changed
}

const shownIf = async (call: PosthogCall, outcome: ExperimentOutcome): Promise<PosthogOutcome> =>
  outcome.done ? await shown(call, outcome.experiment) : outcome

/** PostHog's fields, and the fields of Tilth's that each decides. */
const changedBy: Readonly<Record<string, readonly string[] | undefined>> = {
  name: ['name'],
  description: ['hypothesis'],
  metrics: ['metrics'],
  metrics_secondary: ['metrics'],
  exposure_criteria: ['severalVariants'],
}

const hasExposureConfig = (criteria: unknown): boolean =>
  typeof criteria === 'object' && criteria !== null && 'exposure_config' in criteria

async function changesOf(
  call: PosthogCall,
  given: Record<string, unknown>,
  { name, flag, metrics, analysis }: Experiment,
): Promise<Outcome<{ changes: Record<string, unknown> }>> {
  const variants = variantsIn(given)
  const known = variants === undefined ? undefined : await flagOf(call, flag)
  if (known && !hasVariants(known, variants))
    return refused(
      'The variants are those of the flag. Change them there.',
      'parameters.feature_flag_variants',
    )
  const read = await translated(call, { name, feature_flag_key: flag, ...given })
  if (!read.done) return read
  const fields: Record<string, unknown> = {
    ...read.fields,
    metrics: [
      ...read.fields.metrics,
      ...metrics.filter(
        ({ role }) => given[role === 'primary' ? 'metrics' : 'metrics_secondary'] === undefined,
      ),
    ],
  }
  const names = new Set(Object.keys(given).flatMap((field) => changedBy[field] ?? []))
  if (hasExposureConfig(given['exposure_criteria'])) names.add('exposure')
  // the settings that are not given keep their values
  const settings = { ...analysis, ...Object(read.fields['analysis']) }
  const isAnalysed = !isEmpty(given['parameters']) || !isEmpty(given['stats_config'])
  return {
    done: true,
    changes: {
      ...Object.fromEntries([...names].map((field) => [field, fields[field]])),
      ...(isAnalysed && { analysis: settings }),
    },
  }
}

/** Starts, ends, reopens and archives an experiment, as its dates say in PostHog. */
async function withState(
  call: PosthogCall,
  experiment: Experiment,
  given: Record<string, unknown>,
): Promise<ExperimentOutcome> {
  const started = await withStart(call, experiment, given['start_date'])
  if (!started.done) return started
  const ended = await withEnd(call, started.experiment, given)
  if (!ended.done || given['archived'] !== true) return ended
  return await archived(call, ended.experiment)
}

async function archived(
  { product, project, viewer }: PosthogCall,
  experiment: Experiment,
): Promise<ExperimentOutcome> {
  return experiment.archivedAt
    ? { done: true, experiment }
    : await product.experiments.archive(project.id, experiment.id, viewer)
}

/** The clock of a client that says "now" may be ahead of the server's. */
const clockDifferenceMs = 5 * 60_000

function momentIn(given: unknown, now: Date): Date | undefined {
  const at = new Date(typeof given === 'string' ? given : Number.NaN)
  if (Number.isNaN(at.getTime())) return undefined
  return at > now && at.getTime() - now.getTime() <= clockDifferenceMs ? now : at
}

async function withStart(
  { product, project, viewer, now }: PosthogCall,
  experiment: Experiment,
  given: unknown,
): Promise<ExperimentOutcome> {
  if (given === undefined || (given === null && !experiment.startedAt)) return { done: true, experiment }
  const at = momentIn(given, now)
  if (experiment.startedAt)
    return at?.getTime() === experiment.startedAt.getTime()
      ? { done: true, experiment }
      : refused('The experiment has started, and its start stays.', 'start_date')
  if (!at) return refused('Give the start as 2026-03-02T10:00:00Z.', 'start_date')
  // PostHog turns the flag on with the launch
  const start = { at: at.toISOString(), turnsFlagOn: true }
  return await product.experiments.start(project.id, experiment.id, start, viewer)
}

async function withEnd(
  { product, project, viewer, now }: PosthogCall,
  experiment: Experiment,
  { end_date, conclusion, conclusion_comment }: Record<string, unknown>,
): Promise<ExperimentOutcome> {
  const word = conclusions.find((one) => one === conclusion)
  if (typeof conclusion === 'string' && !word)
    return refused(`A conclusion is one of ${conclusions.join(', ')}.`, 'conclusion')
  const status = statusOf(experiment)
  if (end_date === null && status === 'ended')
    return await product.experiments.reopen(project.id, experiment.id, viewer)
  const isConcluding = typeof end_date === 'string' || word !== undefined
  if (!isConcluding) return { done: true, experiment }
  if (status === 'ended') return sameEnd(experiment, word, end_date, now)
  const at = end_date === undefined ? now : momentIn(end_date, now)
  if (!at) return refused('Give the end as 2026-03-02T10:00:00Z.', 'end_date')
  const comment = typeof conclusion_comment === 'string' ? conclusion_comment : ''
  const note = word === undefined ? comment : [word, comment].filter(Boolean).join(': ')
  const end = { at: at.toISOString(), outcome: outcomeOf(word), note: note.slice(0, 5000) }
  return await product.experiments.end(project.id, experiment.id, end, viewer)
}

const outcomeOf = (word: PosthogConclusion | undefined) => (word === 'inconclusive' ? 'undecided' : 'stopped')

/** A client may send again what it read. */
function sameEnd(
  experiment: Experiment,
  word: PosthogConclusion | undefined,
  endDate: unknown,
  now: Date,
): ExperimentOutcome {
  const isSameWord = word === undefined || conclusionForm(experiment).conclusion === word
  const isSameDate =
    typeof endDate !== 'string' || momentIn(endDate, now)?.getTime() === experiment.endedAt?.getTime()
  return isSameWord && isSameDate
    ? { done: true, experiment }
    : refused(
        'The experiment has ended, and its conclusion stays. Reopen it by "end_date": null.',
        'end_date',
      )
}

const experimentPath = '/projects/{project}/experiments/{experiment}'

export const experimentEndpoints: readonly PosthogEndpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/experiments',
    query: pageParameters,
    handle: async (call) => {
      const all = await call.product.experiments.list(call.project.id, call.viewer)
      return listed(call, await bodiesOf(call, all))
    },
  },
  { method: 'POST', path: '/projects/{project}/experiments', status: 201, handle: createExperiment },
  {
    method: 'GET',
    path: experimentPath,
    handle: async (call) => {
      const experiment = await experimentNamed(call, call.part('experiment'))
      return experiment ? await shown(call, experiment) : missing
    },
  },
  { method: 'PATCH', path: experimentPath, handle: changeExperiment },
]
