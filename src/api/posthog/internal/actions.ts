import { z } from 'zod'
import type { SavedGoal } from '#insights/goals/goals'
import { type Outcome, parseInput } from '#projects/problems'
import { filterFrom } from '../property-filters'
import type { SentForm } from '../sent-forms'
import {
  authorBody,
  findById,
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
import { propertiesOf } from './experiment-metric-form'
import { groupTypesOf } from './projects'

/** A goal that an event reaches, as PostHog's action of one step. Other goals have no counterpart there. */
const actionBody = ({ id, name, goal, createdBy, createdAt }: SavedGoal, form: SentForm = {}) => ({
  id: numberOf(id),
  name,
  description: form['description'] ?? '',
  tags: form['tags'] ?? [],
  post_to_slack: false,
  slack_message_format: '',
  created_at: createdAt.toISOString(),
  created_by: authorBody(createdBy),
  deleted: false,
  is_action: true,
  steps:
    goal.type === 'event'
      ? [{ event: goal.event, properties: goal.filter ? propertiesOf(goal.filter) : [] }]
      : [],
})

/** The goals that an event reaches. */
export async function actionGoals({ product, project, viewer }: PosthogCall): Promise<SavedGoal[]> {
  const goals = await product.insights.goals.list(project.id, viewer)
  return goals.filter(({ goal }) => goal.type === 'event')
}

const goalOf = async (call: PosthogCall): Promise<SavedGoal | undefined> =>
  findById(await actionGoals(call), call.part('action'))

const formsOf = async ({ product, project, viewer }: PosthogCall) =>
  await product.posthogForms.list(project.id, 'action', viewer)

const shown = async (call: PosthogCall, goal: SavedGoal): Promise<PosthogOutcome> =>
  success(actionBody(goal, (await formsOf(call)).get(goal.id)))

const ignoredFields: ReadonlySet<string> = new Set([
  'id',
  'created_at',
  'created_by',
  'is_calculating',
  'last_calculated_at',
  'is_action',
  'bytecode_error',
  'pinned_at',
  'slack_message_format',
  '_create_in_folder',
])

const actionFields: ReadonlySet<string> = new Set([
  'name',
  'description',
  'tags',
  'steps',
  'deleted',
  'post_to_slack',
])

const oneStep = z
  .array(
    z.looseObject({
      event: z
        .string({ error: 'A step has an event here. Elements and addresses are properties of it.' })
        .min(1),
      properties: z.unknown().optional(),
    }),
    { error: 'Give the steps as a list.' },
  )
  .length(1, 'An action has one step here. Make a goal of each event.')

/** Conditions of PostHog's steps beside the event and its properties. */
const stepConditions = ['selector', 'tag_name', 'text', 'href', 'url'] as const

async function goalFrom(call: PosthogCall, steps: unknown): Promise<Outcome<{ goal: object }>> {
  const read = parseInput(oneStep, steps)
  if (!read.done) return read
  const [step] = read.value
  const unmet = stepConditions.find((name) => step?.[name])
  if (!step || unmet !== undefined)
    return refused(`Tilth has no "${unmet}" in a step. Say it by properties of the event.`, 'steps')
  const filtered = filterFrom(step.properties, await groupTypesOf(call), 'steps')
  if (!filtered.done) return filtered
  return {
    done: true,
    goal: { type: 'event', event: step.event, ...(filtered.filter && { filter: filtered.filter }) },
  }
}

interface ActionInput {
  fields: Record<string, unknown>
  sent: Record<string, unknown>
}

async function inputOf(call: PosthogCall): Promise<Outcome<ActionInput>> {
  const input = withoutFields(call.input, ignoredFields)
  const unknown = unknownField(input, actionFields)
  if (unknown) return unknown
  const { name, description, tags, steps, post_to_slack } = input
  if (post_to_slack === true) return refused('Set up an alert for messages.', 'post_to_slack')
  const goal = steps === undefined ? undefined : await goalFrom(call, steps)
  if (goal && !goal.done) return goal
  return {
    done: true,
    fields: { ...(name !== undefined && { name }), ...(goal && { goal: goal.goal }) },
    sent: { ...(description !== undefined && { description }), ...(tags !== undefined && { tags }) },
  }
}

async function keepSent(call: PosthogCall, { id }: SavedGoal, sent: Record<string, unknown>): Promise<void> {
  if (Object.keys(sent).length === 0) return
  const { product, project, viewer } = call
  const form = { ...(await formsOf(call)).get(id), ...sent }
  await product.posthogForms.keep(project.id, { kind: 'action', entryId: id, form }, viewer)
}

async function createAction(call: PosthogCall): Promise<PosthogOutcome> {
  const read = await inputOf(call)
  if (!read.done) return read
  const { product, project, viewer } = call
  const outcome = await product.insights.goals.create(project.id, read.fields, viewer)
  if (!outcome.done) return outcome
  await keepSent(call, outcome.goal, read.sent)
  return await shown(call, outcome.goal)
}

async function changeAction(call: PosthogCall): Promise<PosthogOutcome> {
  const goal = await goalOf(call)
  if (!goal) return missing
  const { product, project, viewer, input } = call
  if (input['deleted'] === true) {
    const removed = await product.insights.goals.remove(project.id, goal.id, viewer)
    return removed.done ? success({ ...actionBody(goal), deleted: true }) : removed
  }
  const read = await inputOf(call)
  if (!read.done) return read
  const outcome = await product.insights.goals.change(project.id, goal.id, read.fields, viewer)
  if (!outcome.done) return outcome
  await keepSent(call, outcome.goal, read.sent)
  return await shown(call, outcome.goal)
}

const actionPath = '/projects/{project}/actions/{action}'

export const actionEndpoints: readonly PosthogEndpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/actions',
    query: pageParameters,
    handle: async (call) => {
      const forms = await formsOf(call)
      return listed(
        call,
        (await actionGoals(call)).map((goal) => actionBody(goal, forms.get(goal.id))),
      )
    },
  },
  { method: 'POST', path: '/projects/{project}/actions', status: 201, handle: createAction },
  {
    method: 'GET',
    path: actionPath,
    handle: async (call) => {
      const goal = await goalOf(call)
      return goal ? await shown(call, goal) : missing
    },
  },
  { method: 'PATCH', path: actionPath, handle: changeAction },
]
