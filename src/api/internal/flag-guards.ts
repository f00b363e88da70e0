import { z } from 'zod'
import { instant, shownAs } from '#collection/entry-shape'
import { filter } from '#filters/filter'
import { conditionSet } from '#flags/flag-schema'
import type { Guard } from '#flags/guard'
import { guardSchema } from '#flags/guard-schema'
import { guardChange, guardStop, newGuard } from '#flags/guard-input'
import { type StaleReason, staleWords } from '#flags/staleness'
import { failedOutcome } from '#projects/problems'
import type { FlagFigures } from '#flags/numbers'
import type { Product } from '#server/product'
import { changeEndpoint, createEndpoint, findEndpoint, verbEndpoint } from './collection-endpoints'
import { success, type Endpoint, mapOutcome } from './endpoint'
import { answerBody, answerShape } from './query'

const shownGuard = shownAs(
  'FlagGuard',
  guardSchema.omit({ projectId: true, flagId: true, flagKey: true }).extend({ flag: z.string() }),
)
export const guardShape = shownGuard.shape

export const showGuard = (guard: Guard) => shownGuard.show({ ...guard, flag: guard.flagKey })

/** Begun, changed and stopped by hand-written methods, which take steps of the rollout on the way. */
const guardEntries = {
  name: 'guard',
  pathName: 'flag-guard',
  noun: 'guarded rollout',
  rights: { read: 'project:read', write: 'flags:write' },
  newEntry: newGuard,
  change: guardChange,
  api: {
    summaries: {
      create: 'Start a guarded rollout: it ramps up, and rolls back if a metric regresses',
      find: 'Read a guarded rollout and its latest measurements',
      change: 'Change the metrics of a running guarded rollout',
    },
    shape: guardShape,
    show: showGuard,
  },
} as const
const guards = ({ flags }: Product) => flags.guards

const figuresShape = z
  .object({
    key: z.string(),
    times: z.number(),
    persons: z.number(),
    values: z.array(z.object({ value: z.string(), times: z.number(), persons: z.number() })),
    firstAsked: instant.optional(),
    lastAsked: instant.optional(),
    askedBy: z.array(z.object({ library: z.string(), times: z.number(), lastAsked: instant })),
    stale: z
      .object({
        because: z.enum(['never-asked', 'not-asked', 'fully-rolled-out', 'one-answer']),
        since: instant,
        value: z.string().optional(),
        why: z.string(),
      })
      .optional(),
  })
  .meta({ id: 'FlagFigures' })

const figuresQuery = z.object({
  environment: z.string().optional(),
  period: z.string().optional().meta({ description: 'As in questions; 30d when absent' }),
})

const figuresBody = ({ stale, ...figures }: FlagFigures) => ({
  ...figures,
  ...(stale && { stale: staleReason(stale) }),
})
const staleReason = (stale: StaleReason) => ({ ...stale, why: staleWords[stale.because] })

const noFlag = failedOutcome('There is no such flag in this project.')

export const flagGuardEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/flag-guards',
    summary: 'List guarded rollouts, the newest first',
    right: 'project:read',
    query: z.object({ flag: z.string().optional() }),
    responseSchema: z.object({ guards: z.array(guardEntries.api.shape) }),
    handle: async ({ product, viewer, project, query }) => {
      const found = await product.flags.guards.list(project().id, viewer, query.get('flag') ?? undefined)
      return success({ guards: found.map((guard) => guardEntries.api.show(guard)) })
    },
  },
  createEndpoint(guardEntries, guards),
  findEndpoint(guardEntries, guards),
  changeEndpoint(guardEntries, guards),
  verbEndpoint(
    guardEntries,
    'pause',
    { summary: 'Take no further step of a guarded rollout; what it looks at is watched all the same' },
    (product, { projectId, id, viewer }) => product.flags.guards.pause(projectId, id, viewer),
  ),
  verbEndpoint(
    guardEntries,
    'resume',
    { summary: 'Go on with a guarded rollout; the interrupted step lasts its full time from now' },
    (product, { projectId, id, viewer }) => product.flags.guards.resume(projectId, id, viewer),
  ),
  verbEndpoint(
    guardEntries,
    'stop',
    { summary: 'Stop a guarded rollout, or roll it back', input: guardStop },
    (product, { projectId, id, input, viewer }) => product.flags.guards.stop(projectId, id, input, viewer),
  ),
  {
    method: 'GET',
    path: '/projects/{project}/flag-figures',
    summary: 'Read the served values of every flag, its last evaluation, and which flags are stale',
    right: 'events:read',
    alsoRights: ['project:read'],
    query: figuresQuery,
    responseSchema: z.object({
      flags: z.array(figuresShape),
      unknown: z.array(figuresShape).meta({ description: 'Asked for, though the project has no such flag' }),
    }),
    handle: async ({ product, viewer, project, query }) =>
      mapOutcome(
        await product.flags.numbers.ofAll(project().id, Object.fromEntries(query), viewer),
        ({ figures: { flags, unknown } }) => ({
          flags: [...flags.values()].map(figuresBody),
          unknown: unknown.map(figuresBody),
        }),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/flag-figures/matching',
    summary: 'Count the people of the last 30 days that match a condition set',
    right: 'events:read',
    input: conditionSet,
    responseSchema: z.object({
      matching: z.number(),
      of: z.number(),
      share: z.number(),
      letIn: z.number(),
      left: z
        .array(z.string())
        .meta({ description: 'What cannot be counted; with any, it is at most so many' }),
      filter: filter
        .optional()
        .meta({ description: 'The filter of persons that these people match; absent if all do' }),
      usesRequest: z.boolean().meta({
        description:
          'True with a condition on place or device: people count by the last known one, the flag asks that of each request',
      }),
    }),
    handle: async ({ product, viewer, input, project }) =>
      mapOutcome(
        await product.flags.numbers.matching(project().id, input, viewer),
        ({ matching }) => matching,
      ),
  },
  {
    method: 'GET',
    path: '/projects/{project}/flag-figures/{flag}',
    summary: 'The same of one flag',
    right: 'events:read',
    alsoRights: ['project:read'],
    query: figuresQuery,
    responseSchema: figuresShape,
    handle: async ({ product, viewer, project, pathParameter, query }) => {
      const asking = Object.fromEntries(query)
      const outcome = await product.flags.numbers.ofOne(project().id, pathParameter('flag'), asking, viewer)
      if (!outcome.done) return outcome
      return outcome.figures ? success(figuresBody(outcome.figures)) : noFlag
    },
  },
  {
    method: 'GET',
    path: '/projects/{project}/flag-figures/{flag}/over-time',
    summary: 'What people got of a flag day by day: the answer to a trend',
    right: 'events:read',
    query: figuresQuery.extend({ counts: z.enum(['times', 'persons']).optional() }),
    responseSchema: answerShape,
    handle: async ({ product, viewer, project, pathParameter, query }) =>
      mapOutcome(
        await product.flags.numbers.overTime(
          project().id,
          pathParameter('flag'),
          Object.fromEntries(query),
          viewer,
        ),
        answerBody,
      ),
  },
]
