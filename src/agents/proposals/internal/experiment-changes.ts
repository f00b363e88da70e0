import { z } from 'zod'
import { type Experiment, statusOf } from '#experiments/experiment'
import { endInput, newExperiment, shipInput, startInput } from '#experiments/experiment-input'
import { failedOutcome, type FailedOutcome } from '#projects/problems'
import {
  type ChangeCall,
  type ChangeMaking,
  defineChange,
  givenIn,
  partLines,
  reasonField,
} from './proposable-change'

const id = z.string().max(100)
const rights = { reads: ['experiments:read'], right: 'experiments:write' } as const

const newInput = z.strictObject({
  ...newExperiment.pick({
    name: true,
    kind: true,
    flag: true,
    hypothesis: true,
    control: true,
    metrics: true,
    analysis: true,
  }).shape,
  ...reasonField,
})

const pathOf = (experiment: string): string => `experiments/${experiment}`

export const experimentChanges = [
  defineChange({
    name: 'create_experiment',
    title: 'Create an experiment',
    description:
      'Makes a draft of an experiment on a flag with variants: hypothesis, metrics, and the rule by which it is decided. No visitor takes part before it starts.',
    input: newInput,
    ...rights,
    isDestructive: false,
    alwaysAsks: () => false,
    async preview({ input: { name, kind, flag, hypothesis, control, metrics, analysis } }) {
      const lines = partLines({
        Name: name,
        Flag: flag,
        Hypothesis: hypothesis,
        Control: control,
        Metrics: metrics.map((metric) => `“${metric.name}”`),
        Kind: kind,
        Analysis: analysis,
      })
      return {
        done: true,
        preview: {
          sentence: `Create an experiment on the flag ${flag}.`,
          lines,
          thing: 'experiments',
          version: undefined,
        },
      }
    },
    async make({ services, projectId, viewer, input }) {
      const outcome = await services.experiments.create(projectId, givenIn(input), viewer)
      return outcome.done ? { done: true, path: pathOf(outcome.experiment.id) } : outcome
    },
  }),
  defineChange({
    name: 'start_experiment',
    title: 'Start an experiment',
    description: 'Starts a draft: from then on exposures count.',
    input: z.strictObject({ id, ...startInput.pick({ turnsFlagOn: true }).shape, ...reasonField }),
    ...rights,
    isDestructive: false,
    alwaysAsks: () => true,
    preview: (call) =>
      previewOf(call, 'Start', 'draft', [
        'Exposures count from the start on',
        ...(call.input.turnsFlagOn ? ['Its flag is turned on in production'] : []),
      ]),
    make: (call) =>
      pathAfter(call.services.experiments.start(call.projectId, call.input.id, stepOf(call), call.viewer)),
  }),
  defineChange({
    name: 'end_experiment',
    title: 'End an experiment',
    description: 'Ends an experiment without a winner; its flag stays as it is.',
    input: z.strictObject({ id, ...endInput.pick({ outcome: true, note: true }).shape, ...reasonField }),
    ...rights,
    isDestructive: true,
    alwaysAsks: () => true,
    preview: (call) =>
      previewOf(call, 'End', 'running', [
        'Exposures and events count until then; the flag stays as it is',
        ...partLines({ Outcome: call.input.outcome, Conclusion: call.input.note }),
      ]),
    make: (call) =>
      pathAfter(call.services.experiments.end(call.projectId, call.input.id, stepOf(call), call.viewer)),
  }),
  defineChange({
    name: 'ship_experiment',
    title: 'Ship a variant',
    description: 'Gives one variant of an experiment to everyone, and ends the experiment.',
    input: z.strictObject({ id, ...shipInput.pick({ variant: true, note: true }).shape, ...reasonField }),
    ...rights,
    isDestructive: true,
    alwaysAsks: () => true,
    preview: (call) =>
      previewOf(call, 'Ship the winner of', 'running', [
        `Everyone gets the variant “${call.input.variant}”`,
        ...partLines({ Conclusion: call.input.note }),
      ]),
    make: (call) =>
      pathAfter(call.services.experiments.ship(call.projectId, call.input.id, stepOf(call), call.viewer)),
  }),
]

/** A step is refused, where it is written, if the experiment was changed since. */
function stepOf({ input, version }: ChangeMaking<{ id: string }>): Record<string, unknown> {
  const { id: _, ...step } = givenIn(input)
  return { ...step, changedAt: version }
}

async function pathAfter(made: Promise<FailedOutcome | { done: true; experiment: Experiment }>) {
  const outcome = await made
  return outcome.done ? { done: true as const, path: pathOf(outcome.experiment.id) } : outcome
}

async function previewOf(
  { services, projectId, viewer, input }: ChangeCall<{ id: string }>,
  verb: string,
  status: 'draft' | 'running',
  lines: readonly string[],
) {
  const experiment = await services.experiments.find(projectId, input.id, viewer)
  if (!experiment || experiment.archivedAt)
    return failedOutcome('There is no such experiment in this project.', 'id')
  if (statusOf(experiment) !== status)
    return failedOutcome(`The experiment is ${statusOf(experiment)}.`, 'id')
  const preview = {
    sentence: `${verb} the experiment “${experiment.name}”.`,
    lines,
    thing: pathOf(experiment.id),
    version: experiment.changedAt.toISOString(),
  }
  return { done: true as const, preview }
}
