import { z } from 'zod'
import type { Experiment } from '#experiments/experiment'
import { draftPlanInput, planInput } from '#experiments/planning/history'
import type { ExperimentPlan } from '#experiments/planning/plan'
import { metricRows } from '#experiments/results/metric-rows'
import type { ExperimentReport } from '#experiments/results/report'
import { type ExperimentVerdict, unitsMissing } from '#experiments/results/verdict'
import { explainInput } from '#flags/explain-input'
import { flagPart } from '#flags/flag-address'
import { mainEnvironment } from '#flags/flag'
import { rolloutInWords } from '#flags/words'
import { propertyLabel } from '#events/taxonomy'
import { number, plural } from '#ui/format'
import { below, defineTool, found } from './agent-tool'

export const featureTools = [
  defineTool({
    name: 'list_flags',
    title: 'List feature flags',
    description: 'The flags of the project with the visitors who get them, in words.',
    input: z.object({ environment: z.string().max(100).default(mainEnvironment) }),
    rights: ['project:read'],
    answer: async ({ product, project, viewer, input: { environment } }) => {
      const all = (await product.flags.list(project.id, viewer)).filter(({ archivedAt }) => !archivedAt)
      const names = {
        property: propertyLabel,
        cohorts: await product.people.cohorts.list(project.id, viewer),
      }
      return found({
        sentence: `${plural(all.length, 'flag')} in ${environment}.`,
        path: below('flags', { environment }),
        table: {
          columns: [
            { name: 'key', as: 'text' },
            { name: 'kind', as: 'text' },
            { name: 'state', as: 'text' },
            { name: 'for', as: 'text' },
            { name: 'about', as: 'text' },
          ],
          rows: all.map(({ key, kind, environments, description }) => [
            key,
            kind,
            environments[environment]?.isOn ? 'on' : 'off',
            rolloutInWords(kind, environments[environment], names),
            description,
          ]),
        },
      })
    },
  }),
  defineTool({
    name: 'explain_flag',
    title: 'Explain a flag for a visitor',
    description: 'The value that a visitor gets of a flag now, and each step of the decision.',
    input: z.object({
      flag: z.string().max(400),
      ...explainInput.pick({ environment: true, distinctId: true }).shape,
    }),
    rights: ['project:read', 'events:read'],
    answer: async ({ product, project, viewer, input: { flag, ...about } }) => {
      const outcome = await product.flags.explain(project.id, flag, about, viewer)
      if (!outcome.done) return outcome
      const { decision, steps } = outcome.explanation
      return found({
        sentence: `This visitor gets ${JSON.stringify(decision.value)}.`,
        notes: steps,
        path: below(`flags/${flagPart(flag)}/explain`, {
          environment: about.environment,
          visitor: about.distinctId,
        }),
      })
    },
  }),
  defineTool({
    name: 'list_experiments',
    title: 'List experiments',
    description:
      'The experiments of the project with their state. experiment_results reads what is known of one.',
    input: z.object({}),
    rights: ['experiments:read'],
    answer: async ({ product, project, viewer }) => {
      const all = await product.experiments.list(project.id, viewer)
      return found({
        sentence: `${plural(all.length, 'experiment')}.`,
        path: 'experiments',
        table: {
          columns: [
            { name: 'id', as: 'text' },
            { name: 'name', as: 'text' },
            { name: 'flag', as: 'text' },
            { name: 'state', as: 'text' },
          ],
          rows: all.map(({ id, name, flag, startedAt, endedAt }) => [
            id,
            name,
            flag,
            endedAt ? 'ended' : startedAt ? 'running' : 'draft',
          ]),
        },
      })
    },
  }),
  defineTool({
    name: 'plan_experiment',
    title: 'Plan an experiment',
    description:
      'How many visitors and days an experiment needs, by the project’s own history. Name a draft by its id, or give `experiment` as the API creates one, with `variants` where its flag does not exist yet.',
    input: z.object({
      id: z.string().max(100).optional(),
      experiment: z.record(z.string().max(100), z.unknown()).optional(),
      variants: draftPlanInput.shape.variants,
      history: planInput.partial().optional(),
    }),
    rights: ['experiments:read', 'events:read'],
    answer: async ({ product, project, viewer, input: { id, experiment, variants, history = {} } }) => {
      const { planning } = product.experiments
      const outcome =
        id === undefined
          ? await planning.planDraft(project.id, { experiment, variants, history }, viewer)
          : await planning.plan(project.id, id, history, viewer)
      if (!outcome.done) return outcome
      const { plan, sentences } = outcome
      return found({
        sentence: planSentence(plan),
        notes: sentences,
        path: id === undefined ? 'experiments/new' : `experiments/${id}/plan`,
        table: {
          columns: [
            { name: 'metric', as: 'text' },
            { name: 'role', as: 'text' },
            { name: 'visitors needed in each variant', as: 'number' },
            { name: 'days', as: 'number' },
          ],
          rows: plan.metrics.map(({ name, role, unitsNeeded, days }) => [name, role, unitsNeeded, days]),
        },
        data: { plan },
      })
    },
  }),
  defineTool({
    name: 'experiment_results',
    title: 'Read the results of an experiment',
    description:
      'The verdict of an experiment in words, with its doubt, and each metric by variant with the interval of its effect. Repeat the verdict as it is: an effect whose interval has both signs is not known yet.',
    input: z.object({ id: z.string().max(100) }),
    rights: ['experiments:read'],
    isDrawn: true,
    answer: async ({ product, project, viewer, input: { id } }) => {
      const outcome = await product.experiments.results.result(project.id, id, viewer)
      if (!outcome.done) return outcome
      const { sentence, rule, report, verdict, byPhase, flagVariants, at, waitingEvents } = outcome.result
      const experiment = await product.experiments.find(project.id, id, viewer)
      return found({
        sentence,
        notes: [...(experiment && report ? neededWords(verdict, report, experiment) : []), rule],
        path: `experiments/${id}`,
        counted: { at, waitingEvents },
        table: {
          columns: ['metric', 'variant', 'value', 'effect', 'reading'].map((name) => ({ name, as: 'text' })),
          rows: metricRows({ report }),
        },
        picture: experiment && {
          of: 'experiment',
          experiment,
          result: { verdict, report, byPhase, flagVariants },
        },
        data: { report },
      })
    },
  }),
]

/** "It needs 1,560 visitors in each variant: 3,120 in all, about 14 days." */
function planSentence({ metrics, arms, days }: ExperimentPlan): string {
  const needed = Math.max(
    0,
    ...metrics.filter(({ role }) => role === 'primary').map(({ unitsNeeded }) => unitsNeeded ?? 0),
  )
  if (needed === 0) return 'Nothing can be planned yet.'
  const time = days === null ? 'more than a year' : `about ${plural(days, 'day')}`
  return `It needs ${number(needed)} visitors in each variant: ${number(needed * arms.length)} in all, ${time}.`
}

/** "Cannot tell yet: about 1,900 more visitors needed, 950 in each variant." */
function neededWords(
  verdict: ExperimentVerdict,
  report: ExperimentReport,
  { analysis }: Pick<Experiment, 'analysis'>,
): string[] {
  const missing = unitsMissing(verdict, report, analysis)
  if (missing === undefined) return []
  const inAll = number(missing * report.variants.length)
  return [`Cannot tell yet: about ${inAll} more visitors needed, ${number(missing)} in each variant.`]
}
