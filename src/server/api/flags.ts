import { z } from 'zod'
import { newEnvironment } from '../../flags/environments'
import { explainInput } from '../../flags/explain-input'
import type { Flag } from '../../flags/flag'
import { flagChange, newFlag } from '../../flags/flag-input'
import type { FlagVersion } from '../../flags/history'
import { holdoutChange, newHoldout, type ProjectHoldout } from '../../flags/holdouts'
import { newSchedule, type Schedule } from '../../flags/schedules'
import { undone } from '../../projects/problems'
import { done, type Endpoint, instant, nothing, shownAs } from './endpoint'

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

const environmentShape = z.object({ name: z.string(), writeKey: z.string() }).meta({ id: 'Environment' })

const holdoutShape = z
  .object({
    id: z.number(),
    name: z.string(),
    percentage: z.number(),
    createdBy: z.string(),
    createdAt: instant,
  })
  .meta({ id: 'Holdout' })

const shownFlag = ({ projectId: _, ...flag }: Flag) => flag
const shownVersion = ({ flag, ...version }: FlagVersion) => ({ ...version, flag: shownFlag(flag) })
const shownSchedule = ({ projectId: _, flagId: _id, flagKey, ...schedule }: Schedule) => ({
  ...schedule,
  flag: flagKey,
})
const shownHoldout = ({ projectId: _, ...holdout }: ProjectHoldout) => holdout

const noFlag = undone('There is no such flag in this project.')

const theirs = z
  .looseObject({ key: z.string().optional(), active: z.boolean().optional(), filters: z.looseObject({}) })
  .meta({ description: 'In PostHog’s words' })

const archiving = z.strictObject({
  anyway: z.boolean().default(false).meta({ description: 'Even where code still asks for it' }),
})

const turning = z.strictObject({
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
    answers: z.object({ flags: z.array(flagShape) }),
    answer: async ({ product, viewer, project, query }) => {
      const all = await product.flags.list(project().id, viewer)
      const isAll = query.get('archived') === 'true'
      return done({ flags: all.filter(({ archivedAt }) => isAll || !archivedAt).map(shownFlag) })
    },
  },
  {
    method: 'POST',
    path: '/projects/{project}/flags',
    summary: 'Make a flag, in our words or in PostHog’s',
    right: 'flags:write',
    input: z.union([newFlag, theirs]),
    answers: flagShape,
    status: 201,
    answer: async ({ product, viewer, input, project }) =>
      shownAs(await product.flags.create(project().id, input, viewer), ({ flag }) => shownFlag(flag)),
  },
  {
    method: 'POST',
    path: '/projects/{project}/flags/import',
    summary: 'Take over flags from PostHog: one, a list, or what its API answers',
    right: 'flags:write',
    input: z.unknown().meta({ description: 'PostHog’s JSON of flags' }),
    query: z.object({ environment: z.string().optional() }),
    answers: importedShape,
    answer: async ({ product, viewer, input, project, query }) => {
      const options = { environment: query.get('environment') ?? undefined }
      return shownAs(
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
    answers: flagShape,
    answer: async ({ product, viewer, project, part }) => {
      const flag = await product.flags.find(project().id, part('flag'), viewer)
      return flag ? done(shownFlag(flag)) : noFlag
    },
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/flags/{flag}',
    summary: 'Change a flag; with a version, only if it is the latest',
    right: 'flags:write',
    input: z.union([flagChange.extend({ note: z.string().optional() }), theirs.partial()]),
    answers: flagShape,
    answer: async ({ product, viewer, input, project, part }) =>
      shownAs(await product.flags.change(project().id, part('flag'), input, viewer), ({ flag }) =>
        shownFlag(flag),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/flags/{flag}/turn',
    summary: 'Turn a flag on or off in an environment',
    right: 'flags:write',
    input: turning,
    answers: flagShape,
    answer: async ({ product, viewer, input, project, part }) =>
      shownAs(await product.flags.turn(project().id, part('flag'), input, viewer), ({ flag }) =>
        shownFlag(flag),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/flags/{flag}/archive',
    summary: 'Archive a flag that no other needs, and that code asks for no more',
    right: 'flags:write',
    input: archiving,
    answers: flagShape,
    answer: async ({ product, viewer, input, project, part }) => {
      const { anyway } = archiving.catch({ anyway: false }).parse(input)
      return shownAs(
        await product.flags.archive(project().id, part('flag'), viewer, { anyway }),
        ({ flag }) => shownFlag(flag),
      )
    },
  },
  {
    method: 'POST',
    path: '/projects/{project}/flags/{flag}/restore',
    summary: 'Bring back an archived flag',
    right: 'flags:write',
    answers: flagShape,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.flags.restore(project().id, part('flag'), viewer), ({ flag }) => shownFlag(flag)),
  },
  {
    method: 'GET',
    path: '/projects/{project}/flags/{flag}/history',
    summary: 'List all that a flag ever was, the latest first',
    right: 'project:read',
    answers: z.object({ versions: z.array(versionShape) }),
    answer: async ({ product, viewer, project, part }) =>
      done({
        versions: (await product.flags.history(project().id, part('flag'), viewer)).map(shownVersion),
      }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/flags/{flag}/history/{version}/revert',
    summary: 'Make a flag again what it was at a version',
    right: 'flags:write',
    answers: flagShape,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(
        await product.flags.revert(project().id, part('flag'), Number(part('version')), viewer),
        ({ flag }) => shownFlag(flag),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/flags/{flag}/explain',
    summary: 'Say what a visitor gets, and why',
    right: 'events:read',
    input: explainInput,
    answers: explanationShape,
    answer: async ({ product, viewer, input, project, part }) =>
      shownAs(
        await product.flags.explain(project().id, part('flag'), input, viewer),
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
    answers: z.object({ payloads: values, environments: z.record(z.string(), values) }),
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.flags.reveal(project().id, part('flag'), viewer), (revealed) => revealed.values),
  },
]

const scheduling: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/flags/{flag}/schedules',
    summary: 'List a flag’s schedules, and what became of their steps',
    right: 'project:read',
    answers: z.object({ schedules: z.array(scheduleShape) }),
    answer: async ({ product, viewer, project, part }) =>
      done({
        schedules: (await product.schedules.list(project().id, viewer, part('flag'))).map(shownSchedule),
      }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/flags/{flag}/schedules',
    summary: 'Turn a flag, or let more people in, at times to come',
    right: 'flags:write',
    input: newSchedule,
    answers: scheduleShape,
    status: 201,
    answer: async ({ product, viewer, input, project, part }) =>
      shownAs(await product.schedules.create(project().id, part('flag'), input, viewer), ({ schedule }) =>
        shownSchedule(schedule),
      ),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/flags/{flag}/schedules/{schedule}',
    summary: 'Remove a schedule; what it did stays as it is',
    right: 'flags:write',
    answers: nothing,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(
        await product.schedules.remove(project().id, part('flag'), part('schedule'), viewer),
        () => ({}),
      ),
  },
]

const environments: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/environments',
    summary: 'List environments with their write keys, the main one first',
    right: 'project:read',
    answers: z.object({ environments: z.array(environmentShape) }),
    answer: async ({ product, viewer, project }) =>
      done({
        environments: (await product.environments.list(project().id, viewer)).map(
          ({ projectId: _, ...environment }) => environment,
        ),
      }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/environments',
    summary: 'Make an environment, in which every flag is off',
    right: 'flags:write',
    input: newEnvironment,
    answers: environmentShape,
    status: 201,
    answer: async ({ product, viewer, input, project }) =>
      shownAs(
        await product.environments.create(project().id, input, viewer),
        ({ environment: { projectId: _, ...environment } }) => environment,
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/environments/{environment}/renew',
    summary: 'Renew an environment’s write key; the one before stops working at once',
    right: 'keys:write',
    answers: environmentShape,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(
        await product.environments.renewKey(project().id, part('environment'), viewer),
        ({ environment: { projectId: _, ...environment } }) => environment,
      ),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/environments/{environment}',
    summary: 'Remove an environment, and what flags were set to there',
    right: 'keys:write',
    answers: z.object({ flags: z.number().meta({ description: 'How many were set there' }) }),
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.environments.remove(project().id, part('environment'), viewer), ({ flags }) => ({
        flags,
      })),
  },
]

const holdouts: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/holdouts',
    summary: 'List holdouts',
    right: 'project:read',
    answers: z.object({ holdouts: z.array(holdoutShape) }),
    answer: async ({ product, viewer, project }) =>
      done({ holdouts: (await product.holdouts.list(project().id, viewer)).map(shownHoldout) }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/holdouts',
    summary: 'Make a holdout',
    right: 'flags:write',
    input: newHoldout,
    answers: holdoutShape,
    status: 201,
    answer: async ({ product, viewer, input, project }) =>
      shownAs(await product.holdouts.create(project().id, input, viewer), ({ holdout }) =>
        shownHoldout(holdout),
      ),
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/holdouts/{holdout}',
    summary: 'Change a holdout, for all flags that use it',
    right: 'flags:write',
    input: holdoutChange,
    answers: holdoutShape,
    answer: async ({ product, viewer, input, project, part }) =>
      shownAs(
        await product.holdouts.change(project().id, Number(part('holdout')), input, viewer),
        ({ holdout }) => shownHoldout(holdout),
      ),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/holdouts/{holdout}',
    summary: 'Remove a holdout that no flag uses',
    right: 'flags:write',
    answers: nothing,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.holdouts.remove(project().id, Number(part('holdout')), viewer), () => ({})),
  },
]

export const flagEndpoints: readonly Endpoint[] = [
  ...flagList,
  ...oneFlag,
  ...scheduling,
  ...environments,
  ...holdouts,
]
