import { z } from 'zod'
import { instant, shownAs } from '#collection/entry-shape'
import { decisionSchema, explanationSchema } from '#flags/decision-schema'
import { newEnvironment } from '#flags/environments'
import { explainInput } from '#flags/explain-input'
import type { FlagEnvironment } from '#flags/flag'
import { flagChange, newFlag } from '#flags/flag-input'
import { flagImportResult } from '#flags/flag-import'
import { flagMatchPage } from '#flags/matches/flag-matches'
import { flagSchema } from '#flags/flag-schema'
import { flagCopy, settingCopy } from '#flags/flags'
import type { FlagVersion } from '#flags/history'
import { holdoutCollection } from '#flags/holdouts'
import { layerCollection } from '#flags/layers/layers'
import { posthogFlagRefusal } from '#flags/posthog-form'
import { newSchedule, type Schedule } from '#flags/schedules'
import { failedOutcome } from '#projects/problems'
import type { Product } from '#server/product'
import { collectionEndpoints, createEndpoint, listEndpoint, verbEndpoint } from './collection-endpoints'
import { success, type Endpoint, nothing, mapOutcome } from './endpoint'

const { shape: flagShape, show: flagBody } = shownAs('Flag', flagSchema.omit({ projectId: true }))

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
      create: 'Create an environment; every flag is off in it',
    },
    shape: z.object({ name: z.string(), writeKey: z.string() }).meta({ id: 'Environment' }),
    show: ({ projectId: _, ...environment }: FlagEnvironment) => environment,
  },
} as const
const environmentsPart = ({ flags }: Product) => flags.environments

const flagVersionBody = ({ flag, ...version }: FlagVersion) => ({ ...version, flag: flagBody(flag) })
const scheduleBody = ({ projectId: _, flagId: _id, flagKey, ...schedule }: Schedule) => ({
  ...schedule,
  flag: flagKey,
})

const noFlag = failedOutcome('There is no such flag in this project.')

const archiveInput = z.strictObject({
  anyway: z.boolean().default(false).meta({ description: 'Even if code still evaluates it' }),
})

const switchInput = z.strictObject({
  environment: z.string().optional(),
  isOn: z.boolean(),
  note: z.string().optional(),
})

const explained = shownAs(
  'FlagExplanation',
  explanationSchema.omit({ decision: true }).extend(decisionSchema.omit({ flag: true }).shape),
)
const imported = shownAs('ImportedFlags', flagImportResult)

const matchesQuery = z.object({
  environment: z.string().optional(),
  show: z.enum(['served', 'not-served', 'all']).optional(),
  value: z.string().optional().meta({ description: 'A variant’s key, or true' }),
  set: z.string().optional().meta({ description: 'The condition set that decided, counted from 1' }),
  page: z.string().optional(),
})

const matchesPage = shownAs('FlagMatches', flagMatchPage)

const values = z.record(z.string(), z.string())

const flagList: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/flags',
    summary: 'List flags, with archived ones on request',
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
    summary: 'Create a flag',
    right: 'flags:write',
    input: newFlag,
    refusalOf: posthogFlagRefusal,
    responseSchema: flagShape,
    status: 201,
    handle: async ({ product, viewer, input, project }) =>
      mapOutcome(await product.flags.create(project().id, input, viewer), ({ flag }) => flagBody(flag)),
  },
  {
    method: 'POST',
    path: '/projects/{project}/flags/import',
    summary: 'Import flags from PostHog: one, a list, or its API response',
    right: 'flags:write',
    input: z.unknown().meta({ description: 'PostHog’s JSON of flags' }),
    query: z.object({ environment: z.string().optional() }),
    responseSchema: imported.shape,
    handle: async ({ product, viewer, input, project, query }) => {
      const options = { environment: query.get('environment') ?? undefined }
      return mapOutcome(await product.flags.importFrom(project().id, input, viewer, options), (result) =>
        imported.show(result),
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
    input: flagChange.extend({ note: z.string().optional() }),
    refusalOf: posthogFlagRefusal,
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
    path: '/projects/{project}/flags/{flag}/duplicate',
    summary: 'Copy a flag under another key; the copy is off',
    right: 'flags:write',
    input: flagCopy,
    responseSchema: flagShape,
    status: 201,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.flags.duplicate(project().id, pathParameter('flag'), input, viewer),
        ({ flag }) => flagBody(flag),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/flags/{flag}/copy',
    summary: 'Copy a flag’s setting from one environment to another',
    right: 'flags:write',
    input: settingCopy,
    responseSchema: flagShape,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.flags.copySetting(project().id, pathParameter('flag'), input, viewer),
        ({ flag }) => flagBody(flag),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/flags/{flag}/archive',
    summary: 'Archive a flag that no other flag or code uses',
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
    summary: 'Restore an archived flag',
    right: 'flags:write',
    responseSchema: flagShape,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(await product.flags.restore(project().id, pathParameter('flag'), viewer), ({ flag }) =>
        flagBody(flag),
      ),
  },
  {
    method: 'GET',
    path: '/projects/{project}/flags/{flag}/people',
    summary: 'List the persons of the last 30 days with the value they get, and why',
    right: 'events:read',
    alsoRights: ['project:read'],
    query: matchesQuery,
    responseSchema: matchesPage.shape,
    handle: async ({ product, viewer, project, pathParameter, query }) =>
      mapOutcome(
        await product.flags.matches.list(
          project().id,
          pathParameter('flag'),
          Object.fromEntries(query),
          viewer,
        ),
        ({ page }) => matchesPage.show(page),
      ),
  },
  {
    method: 'GET',
    path: '/projects/{project}/flags/{flag}/history',
    summary: 'List the versions of a flag, latest first',
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
    summary: 'Restore a version of a flag',
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
    summary: 'Explain the value of a flag for a visitor',
    right: 'events:read',
    input: explainInput,
    responseSchema: explained.shape,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.flags.explain(project().id, pathParameter('flag'), input, viewer),
        ({ explanation: { decision, ...explanation } }) => {
          const { value, payload, reason } = decision
          return explained.show({ ...explanation, value, payload, reason })
        },
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/flags/{flag}/reveal',
    summary: 'Read the values of a secret configuration; the audit log records it',
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
    summary: 'List a flag’s scheduled changes and the state of their steps',
    right: 'project:read',
    responseSchema: z.object({ schedules: z.array(scheduleShape) }),
    handle: async ({ product, viewer, project, pathParameter }) =>
      success({
        schedules: (await product.flags.schedules.list(project().id, viewer, pathParameter('flag'))).map(
          scheduleBody,
        ),
      }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/flags/{flag}/schedules',
    summary: 'Schedule changes of a flag',
    right: 'flags:write',
    input: newSchedule,
    responseSchema: scheduleShape,
    status: 201,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.flags.schedules.create(project().id, pathParameter('flag'), input, viewer),
        ({ schedule }) => scheduleBody(schedule),
      ),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/flags/{flag}/schedules/{schedule}',
    summary: 'Remove a schedule; steps already taken stay',
    right: 'flags:write',
    responseSchema: nothing,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.flags.schedules.remove(
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
      summary: 'Renew an environment’s write key; the old one stops working immediately',
      right: 'keys:write',
    },
    (product, { projectId, id, viewer }) => product.flags.environments.renewKey(projectId, id, viewer),
  ),
  {
    method: 'DELETE',
    path: '/projects/{project}/environments/{environment}',
    summary: 'Remove an environment with its flag settings',
    right: 'keys:write',
    alsoRights: ['flags:write'],
    responseSchema: z.object({ flags: z.number().meta({ description: 'How many were set there' }) }),
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.flags.environments.remove(project().id, pathParameter('environment'), viewer),
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
  ...collectionEndpoints(holdoutCollection, ({ flags }) => flags.holdouts),
  ...collectionEndpoints(layerCollection, ({ flags }) => flags.layers),
]
