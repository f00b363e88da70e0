import { z } from 'zod'
import { instant, shownAs } from '#collection/entry-shape'
import { endInput, savedMetricsInput, shipInput, startInput } from '#experiments/experiment-input'
import { experimentCollection } from '#experiments/experiment-collection'
import { decompositionInput } from '#experiments/results/decomposition'
import {
  decompositionReportSchema,
  experimentReport,
  exposureReportSchema,
  metricCourse,
  metricReport,
  segmentReportSchema,
  verdictSchema,
} from '#experiments/results/report-schema'
import { courseTable, resultTable } from '#experiments/results/result-tables'
import { exposuresInput, peopleInput } from '#experiments/results/results-input'
import { segmentInput } from '#experiments/results/segments'
import type { RolloutProgress } from '#experiments/rollouts/experiment-rollouts'
import { StreamedBody } from '#http/streamed-body'
import { csvOf } from '#insights/csv'
import type { AnswerTable } from '#insights/kind'
import { parseInput } from '#projects/problems'
import type { Product } from '#server/product'
import {
  changeEndpoint,
  createEndpoint,
  findEndpoint,
  listEndpoint,
  verbEndpoint,
} from './collection-endpoints'
import { type Endpoint, mapOutcome, success } from './endpoint'
import { guardShape, showGuard } from './flag-guards'
import { listedPersonShape } from './persons'
import { answerStateShape } from './query'

const experiments = ({ experiments: part }: Product) => part

const experimentAnswerShape = {
  ...answerStateShape,
  isRenewed: z.boolean().meta({
    description: 'Whether a newer answer is being computed; one that takes long is kept for up to an hour',
  }),
}

const courseQuery = z.object({ format: z.enum(['json', 'csv']).default('json') })

const resultsQuery = courseQuery.extend({
  fresh: z.string().optional().meta({ description: 'Not from what was computed last' }),
})

const csvFile = (name: string, table: AnswerTable): StreamedBody =>
  new StreamedBody('text/csv; charset=utf-8', `${encodeURIComponent(name)}.csv`, csvParts(table))

/** A table is written at once: its rows are few. */
async function* csvParts(table: AnswerTable): AsyncGenerator<string> {
  yield csvOf(table)
}

const resultShape = z
  .object({
    verdict: verdictSchema,
    sentence: z.string().meta({ description: 'The verdict in words' }),
    rule: z.string().meta({ description: 'When the experiment decides, in a sentence' }),
    look: z.enum(['any', 'early', 'planned']).meta({
      description:
        'Which look this is: `any` of many, each of which may decide; `early`, before the planned end; or the `planned` one, which decides',
    }),
    until: z.date().meta({ description: 'What came later does not count' }),
    ...experimentAnswerShape,
    flagVariants: z
      .array(z.string())
      .meta({ description: 'The variants in the order of the flag, in which the studio colours them' }),
    report: experimentReport.optional().meta({ description: 'Absent before the start' }),
    byPhase: z
      .array(z.array(metricReport))
      .meta({ description: 'The metrics of each phase by itself, where there are several' }),
    arms: z
      .array(z.object({ variant: z.string(), units: z.number(), mean: z.number(), chance: z.number() }))
      .optional()
      .meta({ description: 'Of a bandit: what is known of each variant, with its chance of being the best' }),
  })
  .meta({ id: 'ExperimentResult' })

const templateShape = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    input: z.looseObject({ hypothesis: z.string(), metrics: z.array(z.looseObject({ name: z.string() })) }),
  })
  .meta({ id: 'ExperimentTemplate' })

const shownExposures = shownAs('ExperimentExposures', exposureReportSchema)
const shownCourse = shownAs('ExperimentMetricCourse', metricCourse)
const shownSegments = shownAs('ExperimentSegments', segmentReportSchema)
const shownDecomposition = shownAs('ExperimentDecomposition', decompositionReportSchema)

const progressShape = z
  .object({
    guard: guardShape,
    next: z
      .object({ percentage: z.number(), at: instant })
      .optional()
      .meta({ description: 'The next step, and when it is due at the earliest' }),
    watchedUntil: instant.optional().meta({ description: 'When the last step has lasted long enough' }),
  })
  .meta({ id: 'RolloutProgress' })

const progressBody = ({ guard, ...progress }: RolloutProgress) => ({ guard: showGuard(guard), ...progress })

const rolloutVerb = (verb: 'pause' | 'resume', summary: string): Endpoint => ({
  method: 'POST',
  path: `/projects/{project}/experiments/{experiment}/${verb}`,
  summary,
  right: 'experiments:write',
  alsoRights: ['flags:write'],
  responseSchema: progressShape,
  handle: async ({ product, viewer, project, pathParameter }) =>
    mapOutcome(
      await product.experiments.rollouts[verb](project().id, pathParameter('experiment'), viewer),
      ({ progress }) => progressBody(progress),
    ),
})

export const experimentEndpoints: readonly Endpoint[] = [
  listEndpoint(experimentCollection, experiments),
  createEndpoint(experimentCollection, experiments),
  findEndpoint(experimentCollection, experiments),
  changeEndpoint(experimentCollection, experiments),
  verbEndpoint(
    experimentCollection,
    'start',
    { summary: 'Start an experiment', input: startInput, alsoRights: ['flags:write'] },
    (product, { projectId, id, input, viewer }) => product.experiments.start(projectId, id, input, viewer),
  ),
  verbEndpoint(
    experimentCollection,
    'end',
    {
      summary: 'End an experiment without a winner; its flag stays as it is',
      input: endInput,
      alsoRights: ['flags:write'],
    },
    (product, { projectId, id, input, viewer }) => product.experiments.end(projectId, id, input, viewer),
  ),
  verbEndpoint(
    experimentCollection,
    'ship',
    {
      summary: 'Give one variant to everyone, and end the experiment',
      input: shipInput,
      alsoRights: ['flags:write'],
    },
    (product, { projectId, id, input, viewer }) => product.experiments.ship(projectId, id, input, viewer),
  ),
  verbEndpoint(
    experimentCollection,
    'take-back',
    {
      summary: 'Make the flag what it was before a variant was shipped, and let the experiment run on',
      alsoRights: ['flags:write'],
    },
    (product, { projectId, id, viewer }) => product.experiments.takeBack(projectId, id, viewer),
  ),
  verbEndpoint(
    experimentCollection,
    'reopen',
    {
      summary: 'Let an ended experiment run on; its flag stays as it is, and exposures since the end count',
      alsoRights: ['flags:write'],
    },
    (product, { projectId, id, viewer }) => product.experiments.reopen(projectId, id, viewer),
  ),
  {
    method: 'GET',
    path: '/projects/{project}/experiments/{experiment}/rollout',
    summary: 'Read how far a rollout has come, and what happened on the way',
    right: 'experiments:read',
    responseSchema: progressShape,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.experiments.rollouts.find(project().id, pathParameter('experiment'), viewer),
        ({ progress }) => progressBody(progress),
      ),
  },
  rolloutVerb('pause', 'Take no further step of a rollout; its guardrails are watched all the same'),
  rolloutVerb('resume', 'Go on with a rollout; the interrupted step lasts its full time from now'),
  verbEndpoint(
    experimentCollection,
    'archive',
    { summary: 'Archive an experiment' },
    (product, { projectId, id, viewer }) => product.experiments.archive(projectId, id, viewer),
  ),
  verbEndpoint(
    experimentCollection,
    'restore',
    { summary: 'Restore an archived experiment' },
    (product, { projectId, id, viewer }) => product.experiments.restore(projectId, id, viewer),
  ),
  verbEndpoint(
    experimentCollection,
    'duplicate',
    { summary: 'Make a draft with the same flag, metrics and settings', status: 201 },
    (product, { projectId, id, viewer }) => product.experiments.duplicate(projectId, id, viewer),
  ),
  verbEndpoint(
    experimentCollection,
    'saved-metrics',
    {
      summary: 'Add saved metrics to a draft, by ids or by the tag of their group',
      input: savedMetricsInput,
    },
    (product, { projectId, id, input, viewer }) =>
      product.experiments.addSavedMetrics(projectId, id, input, viewer),
  ),
  {
    method: 'GET',
    path: '/projects/{project}/experiment-templates',
    summary: 'List templates; the input of one, with a name and a flag, makes an experiment',
    right: 'experiments:read',
    responseSchema: z.object({ templates: z.array(templateShape) }),
    handle: async ({ product, viewer, project }) =>
      success({ templates: product.experiments.templates(project().id, viewer) }),
  },
  {
    method: 'GET',
    path: '/projects/{project}/experiments/{experiment}/results',
    summary: 'What is known of an experiment: the verdict, exposures, estimates with intervals',
    right: 'experiments:read',
    query: resultsQuery,
    responseSchema: resultShape,
    otherContentTypes: ['text/csv'],
    handle: async ({ product, viewer, project, pathParameter, query }) => {
      const parsed = parseInput(resultsQuery, Object.fromEntries(query))
      if (!parsed.done) return parsed
      const { fresh, format } = parsed.value
      const [id, isFresh] = [pathParameter('experiment'), fresh !== undefined]
      return mapOutcome(
        await product.experiments.results.result(project().id, id, viewer, { isFresh }),
        ({ result: { tookMs: _tookMs, ...result } }) =>
          format === 'csv'
            ? csvFile(`${id}-results`, resultTable(result))
            : { ...result, at: result.at.toISOString() },
      )
    },
  },
  {
    method: 'GET',
    path: '/projects/{project}/experiments/{experiment}/course',
    summary: 'The estimates of each metric as they were known at the end of each day',
    right: 'experiments:read',
    query: courseQuery,
    responseSchema: z.object({ course: z.array(shownCourse.shape), ...experimentAnswerShape }),
    otherContentTypes: ['text/csv'],
    handle: async ({ product, viewer, project, pathParameter, query }) => {
      const parsed = parseInput(courseQuery, Object.fromEntries(query))
      if (!parsed.done) return parsed
      const id = pathParameter('experiment')
      return mapOutcome(
        await product.experiments.results.course(project().id, id, viewer),
        ({ course, state: { tookMs: _tookMs, at, ...state } }) =>
          parsed.value.format === 'csv'
            ? csvFile(`${id}-course`, courseTable({ course, at }))
            : { course: course.map((metric) => shownCourse.show(metric)), at: at.toISOString(), ...state },
      )
    },
  },

  {
    method: 'GET',
    path: '/projects/{project}/experiments/{experiment}/exposures',
    summary:
      'Who was exposed to what, by library, browser, place, phase and day, and what a mismatch comes from',
    right: 'experiments:read',
    query: z.object({ metric: exposuresInput.shape.metric }),
    responseSchema: shownExposures.shape,
    handle: async ({ product, viewer, project, pathParameter, query }) =>
      mapOutcome(
        await product.experiments.results.exposures(
          project().id,
          pathParameter('experiment'),
          Object.fromEntries(query),
          viewer,
        ),
        ({ report }) => shownExposures.show(report),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/experiments/{experiment}/people',
    summary: 'The persons behind a number of exposures, 100 on a page',
    right: 'events:read',
    alsoRights: ['experiments:read'],
    input: peopleInput,
    responseSchema: z.object({ persons: z.array(listedPersonShape), total: z.number() }),
    handle: async ({ product, viewer, project, pathParameter, input }) =>
      mapOutcome(
        await product.experiments.results.people(project().id, pathParameter('experiment'), input, viewer),
        ({ persons, total }) => ({ persons, total }),
      ),
  },
  {
    method: 'GET',
    path: '/projects/{project}/experiments/{experiment}/segments',
    summary:
      'Results by a property that is known at the exposure: an exploration, corrected for the number of segments',
    right: 'experiments:read',
    query: segmentInput,
    responseSchema: shownSegments.shape,
    handle: async ({ product, viewer, project, pathParameter, query }) =>
      mapOutcome(
        await product.experiments.results.segments(
          project().id,
          pathParameter('experiment'),
          Object.fromEntries(query),
          viewer,
        ),
        ({ report }) => shownSegments.show(report),
      ),
  },
  {
    method: 'GET',
    path: '/projects/{project}/experiments/{experiment}/decomposition',
    summary: 'One metric by a property of its event; each part is of all exposed units',
    right: 'experiments:read',
    query: decompositionInput,
    responseSchema: shownDecomposition.shape,
    handle: async ({ product, viewer, project, pathParameter, query }) =>
      mapOutcome(
        await product.experiments.results.decomposition(
          project().id,
          pathParameter('experiment'),
          Object.fromEntries(query),
          viewer,
        ),
        ({ report }) => shownDecomposition.show(report),
      ),
  },
]
