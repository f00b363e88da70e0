import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import { newEnvironment } from '#flags/environments'
import { explainInput } from '#flags/explain-input'
import type { Flag, FlagEnvironment } from '#flags/flag'
import { flagChange, newFlag } from '#flags/flag-input'
import type { FlagVersion } from '#flags/history'
import { holdoutCollection } from '#flags/holdouts'
import { newSchedule, type Schedule } from '#flags/schedules'
import { failedOutcome } from '#projects/problems'
import type { Product } from '#server/product'
import { collectionEndpoints, createEndpoint, listEndpoint, verbEndpoint } from './collection-endpoints'
import { success, type Endpoint, nothing, mapOutcome } from './endpoint'

const setting = z.looseObject({ isOn: z.boolean(), conditions: z.array(z.looseObject({})) })

const flagShape = z
  .looseObject({
    id: z.number(),
    key: z.string(),
    description: z.string(),
    tags: z.array(z.string()),
    owner: z.string(),
    kind: z.enum(['switch', 'variants', 'config']),
    variants: z.array(z.object({ key: z.string(), name: z.string(), percentage: z.number() })),
    payloads: z
      .record(z.string(), z.string())
      .meta({ description: 'JSON as text; masked where it is secret' }),
    isSecret: z.boolean(),
    environments: z.record(z.string(), setting),
    version: z.number(),
    createdBy: z.string(),
    createdAt: instant,
    changedAt: instant,
    archivedAt: instant.optional(),
  })
  .meta({ id: 'Flag' })

const versionShape = z.object({
  version: z.number(),
  flag: flagShape,
  by: z.string(),
  at: instant,
  note: z.string().optional(),
})

const scheduleShape = z
  .object({
    id: z.string(),
    flag: z.string(),
    environment: z.string(),
    steps: z.array(
      z.object({
        at: instant,
        isOn: z.boolean().optional(),
        percentage: z.number().optional(),
        condition: z.number().optional(),
        doneAt: instant.optional(),
        trouble: z.string().optional(),
      }),
    ),
    nextAt: instant.optional(),
    createdBy: z.string(),
    createdAt: instant,
  })
  .meta({ id: 'FlagSchedule' })

/** An environment is never changed, and its name is its id. */
const environmentEntries = {
  name: 'environment',
  rights: { read: 'project:read', write: 'flags:write' },
  newEntry: newEnvironment,
  api: {
    summaries: {
      list: 'List environments with their write keys, the main one first',
      create: 'Make an environment, in which every flag is off',
    },
    shape: z.object({ name: z.string(), writeKey: z.string() }).meta({ id: 'Environment' }),
    show: ({ projectId: _, ...environment }: FlagEnvironment) => environment,
  },
} as const
const environmentsPart = ({ environments: part }: Product) => part

const flagBody = ({ projectId: _, ...flag }: Flag) => flag
const flagVersionBody = ({ flag, ...version }: FlagVersion) => ({ ...version, flag: flagBody(flag) })
const scheduleBody = ({ projectId: _, flagId: _id, flagKey, ...schedule }: Schedule) => ({
  ...schedule,
  flag: flagKey,
})

const noFlag = failedOutcome('There is no such flag in this project.')

const posthogFlagShape = z
  .looseObject({ key: z.string().optional(), active: z.boolean().optional(), filters: z.looseObject({}) })
  .meta({ description: 'In PostHog’s words' })

const archiveInput = z.strictObject({
  anyway: z.boolean().default(false).meta({ description: 'Even where code still asks for it' }),
})

const switchInput = z.strictObject({
  environment: z.string().optional(),
  isOn: z.boolean(),
  note: z.string().optional(),
})

const explanationShape = z
  .looseObject({ bucket: z.number().optional(), steps: z.array(z.string()) })
  .meta({ description: 'What was decided, each condition’s answer, and the path taken in words' })

const importedShape = z.object({
  created: z.array(z.string()),
  changed: z.array(z.string()),
  refused: z.array(z.object({ key: z.string(), problems: z.array(z.looseObject({ message: z.string() })) })),
})

const values = z.record(z.string(), z.string())

const flagList: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/flags',
    summary: 'List flags, archived ones among them if asked for',
    right: 'project:read',
    query: z.object({ archived: z.enum(['true', 'false']).optional() }),
    responseSchema: z.object({ flags: z.array(flagShape) }),
    handle: async ({ product, viewer, project, query }) => {
      const all = await product.flags.list(project().id, viewer)
      const isAll = query.get('archived') === 'true'
      return success({ flags: all.filter(({ archivedAt }) => isAll || !archivedAt).map(flagBody) })
    },
  },
  {
    method: 'POST',
    path: '/projects/{project}/flags',
    summary: 'Make a flag, in our words or in PostHog’s',
    right: 'flags:write',
    input: z.union([newFlag, posthogFlagShape]),
    responseSchema: flagShape,
    status: 201,
    handle: async ({ product, viewer, input, project }) =>
      mapOutcome(await product.flags.create(project().id, input, viewer), ({ flag }) => flagBody(flag)),
  },
  {
    method: 'POST',
    path: '/projects/{project}/flags/import',
    summary: 'Take over flags from PostHog: one, a list, or what its API answers',
    right: 'flags:write',
    input: z.unknown().meta({ description: 'PostHog’s JSON of flags' }),
    query: z.object({ environment: z.string().optional() }),
    responseSchema: importedShape,
    handle: async ({ product, viewer, input, project, query }) => {
      const options = { environment: query.get('environment') ?? undefined }
      return mapOutcome(
        await product.flags.importFrom(project().id, input, viewer, options),
        ({ created, changed, refused }) => ({ created, changed, refused }),
      )
    },
  },
]

const oneFlag: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/flags/{flag}',
    summary: 'Read a flag',
    right: 'project:read',
    responseSchema: flagShape,
    handle: async ({ product, viewer, project, pathParameter }) => {
      const flag = await product.flags.find(project().id, pathParameter('flag'), viewer)
      return flag ? success(flagBody(flag)) : noFlag
    },
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/flags/{flag}',
    summary: 'Change a flag; with a version, only if it is the latest',
    right: 'flags:write',
    input: z.union([flagChange.extend({ note: z.string().optional() }), posthogFlagShape.partial()]),
    responseSchema: flagShape,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(await product.flags.change(project().id, pathParameter('flag'), input, viewer), ({ flag }) =>
        flagBody(flag),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/flags/{flag}/turn',
    summary: 'Turn a flag on or off in an environment',
    right: 'flags:write',
    input: switchInput,
    responseSchema: flagShape,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(await product.flags.turn(project().id, pathParameter('flag'), input, viewer), ({ flag }) =>
        flagBody(flag),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/flags/{flag}/archive',
    summary: 'Archive a flag that no other needs, and that code asks for no more',
    right: 'flags:write',
    input: archiveInput,
    responseSchema: flagShape,
    handle: async ({ product, viewer, input, project, pathParameter }) => {
      const { anyway } = archiveInput.catch({ anyway: false }).parse(input)
      return mapOutcome(
        await product.flags.archive(project().id, pathParameter('flag'), viewer, { anyway }),
        ({ flag }) => flagBody(flag),
      )
    },
  },
  {
    method: 'POST',
    path: '/projects/{project}/flags/{flag}/restore',
    summary: 'Bring back an archived flag',
    right: 'flags:write',
    responseSchema: flagShape,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(await product.flags.restore(project().id, pathParameter('flag'), viewer), ({ flag }) =>
        flagBody(flag),
      ),
  },
  {
    method: 'GET',
    path: '/projects/{project}/flags/{flag}/history',
    summary: 'List all that a flag ever was, the latest first',
    right: 'project:read',
    responseSchema: z.object({ versions: z.array(versionShape) }),
    handle: async ({ product, viewer, project, pathParameter }) =>
      success({
        versions: (await product.flags.history(project().id, pathParameter('flag'), viewer)).map(
          flagVersionBody,
        ),
      }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/flags/{flag}/history/{version}/revert',
    summary: 'Make a flag again what it was at a version',
    right: 'flags:write',
    responseSchema: flagShape,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.flags.revert(
          project().id,
          pathParameter('flag'),
          Number(pathParameter('version')),
          viewer,
        ),
        ({ flag }) => flagBody(flag),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/flags/{flag}/explain',
    summary: 'Say what a visitor gets, and why',
    right: 'events:read',
    input: explainInput,
    responseSchema: explanationShape,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.flags.explain(project().id, pathParameter('flag'), input, viewer),
        ({ explanation: { decision, ...explanation } }) => {
          const { value, payload, reason } = decision
          return { ...explanation, value, payload: decision.flag.isSecret ? undefined : payload, reason }
        },
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/flags/{flag}/reveal',
    summary: 'Read the values of a secret configuration; the audit log says so',
    right: 'keys:write',
    responseSchema: z.object({ payloads: values, environments: z.record(z.string(), values) }),
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.flags.reveal(project().id, pathParameter('flag'), viewer),
        (revealed) => revealed.values,
      ),
  },
]

const scheduling: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/flags/{flag}/schedules',
    summary: 'List a flag’s schedules, and what became of their steps',
    right: 'project:read',
    responseSchema: z.object({ schedules: z.array(scheduleShape) }),
    handle: async ({ product, viewer, project, pathParameter }) =>
      success({
        schedules: (await product.schedules.list(project().id, viewer, pathParameter('flag'))).map(
          scheduleBody,
        ),
      }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/flags/{flag}/schedules',
    summary: 'Turn a flag, or let more people in, at times to come',
    right: 'flags:write',
    input: newSchedule,
    responseSchema: scheduleShape,
    status: 201,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.schedules.create(project().id, pathParameter('flag'), input, viewer),
        ({ schedule }) => scheduleBody(schedule),
      ),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/flags/{flag}/schedules/{schedule}',
    summary: 'Remove a schedule; what it did stays as it is',
    right: 'flags:write',
    responseSchema: nothing,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.schedules.remove(
          project().id,
          pathParameter('flag'),
          pathParameter('schedule'),
          viewer,
        ),
        () => ({}),
      ),
  },
]

const environments: readonly Endpoint[] = [
  listEndpoint(environmentEntries, environmentsPart),
  createEndpoint(environmentEntries, environmentsPart),
  verbEndpoint(
    environmentEntries,
    'renew',
    {
      summary: 'Renew an environment’s write key; the one before stops working at once',
      right: 'keys:write',
    },
    (product, { projectId, id, viewer }) => product.environments.renewKey(projectId, id, viewer),
  ),
  {
    method: 'DELETE',
    path: '/projects/{project}/environments/{environment}',
    summary: 'Remove an environment, and what flags were set to there',
    right: 'keys:write',
    responseSchema: z.object({ flags: z.number().meta({ description: 'How many were set there' }) }),
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.environments.remove(project().id, pathParameter('environment'), viewer),
        ({ flags }) => ({
          flags,
        }),
      ),
  },
]

export const flagEndpoints: readonly Endpoint[] = [
  ...flagList,
  ...oneFlag,
  ...scheduling,
  ...environments,
  ...collectionEndpoints(holdoutCollection, ({ holdouts }) => holdouts),
]
