import { z } from 'zod'
import { metricRows } from '#experiments/results/metric-rows'
import { explainInput } from '#flags/explain-input'
import { flagPart } from '#flags/flag-address'
import { mainEnvironment } from '#flags/flag'
import { rolloutInWords } from '#flags/words'
import { propertyLabel } from '#events/taxonomy'
import { plural } from '#ui/format'
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
    name: 'experiment_results',
    title: 'Read the results of an experiment',
    description:
      'The verdict of an experiment in words, with its doubt, and each metric by variant with the interval of its effect. Repeat the verdict as it is: an effect whose interval has both signs is not known yet.',
    input: z.object({ id: z.string().max(100) }),
    rights: ['experiments:read'],
    answer: async ({ product, project, viewer, input: { id } }) => {
      const outcome = await product.experiments.results.result(project.id, id, viewer)
      if (!outcome.done) return outcome
      const { sentence, rule, report, at, waitingEvents } = outcome.result
      return found({
        sentence,
        notes: [rule],
        path: `experiments/${id}`,
        counted: { at, waitingEvents },
        table: {
          columns: ['metric', 'variant', 'value', 'effect', 'reading'].map((name) => ({ name, as: 'text' })),
          rows: metricRows({ report }),
        },
        data: { report },
      })
    },
  }),
]
