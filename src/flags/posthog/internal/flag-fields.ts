import { z } from 'zod'
import type { EditableFlag, Flag, FlagSetting } from '../../flag'
import type { FlagChange, NewFlag } from '../../flag-input'
import { type GroupTypes, groupNamed, groupNumber, theirProperty } from '../import-conditions'
import type { PosthogFilters, PosthogFlag } from './posthog-types'

const mostLevels = 50

/** Stops at a maximum depth, so that endlessly nested input is not walked to its end. */
function isShallow(value: unknown, levels = mostLevels): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1))
}

const payload = z
  .unknown()
  .refine((value) => isShallow(value), { error: `A payload is nested at most ${mostLevels} times.` })

const theirSet = z.looseObject({
  properties: z.array(theirProperty).nullish(),
  rollout_percentage: z.number().nullish(),
  variant: z.string().nullish(),
  description: z.string().nullish(),
  aggregation_group_type_index: groupNumber.nullish(),
})
export type TheirSet = z.infer<typeof theirSet>

const theirFilters = z.looseObject({
  groups: z.array(theirSet).nullish(),
  multivariate: z
    .looseObject({
      variants: z.array(
        z.looseObject({ key: z.string(), name: z.string().nullish(), rollout_percentage: z.number() }),
      ),
    })
    .nullish(),
  payloads: z.record(z.string(), payload).nullish(),
  aggregation_group_type_index: groupNumber.nullish(),
  holdout: z.looseObject({ id: z.number(), exclusion_percentage: z.number() }).nullish(),
  layer: z.looseObject({ id: z.number(), from: z.number(), until: z.number() }).nullish(),
  holdout_groups: z
    .array(z.looseObject({ rollout_percentage: z.number().nullish(), variant: z.string().nullish() }))
    .nullish(),
  early_exit: z.boolean().nullish(),
  feature_enrollment: z.boolean().nullish(),
  super_groups: z.array(z.unknown()).nullish(),
})
export type TheirFilters = z.infer<typeof theirFilters>

const texts = z.array(z.string()).readonly()

/** PostHog's fields that correspond to `flagFields`, without those in its filters. */
const theirFields = {
  name: z.string().nullish(),
  ensure_experience_continuity: z.boolean().nullish(),
  evaluation_runtime: z.enum(['all', 'client', 'server']).nullish(),
  bucketing_identifier: z.string().nullish(),
  evaluation_contexts: texts.nullish(),
  evaluation_tags: texts.nullish(),
  tags: texts.nullish(),
  is_remote_configuration: z.boolean().nullish(),
  has_encrypted_payloads: z.boolean().nullish(),
}
type TheirFields = typeof theirFields

/** The fields that are written: all but an earlier name of `evaluation_contexts`. */
export type WrittenFields = {
  [Name in Exclude<keyof TheirFields, 'evaluation_tags'>]: Name extends 'bucketing_identifier'
    ? 'device_id' | null
    : NonNullable<z.infer<TheirFields[Name]>>
}

export const theirFlag = z.looseObject(
  {
    key: z.string({ error: 'A flag of PostHog’s has a key.' }),
    active: z.boolean().nullish(),
    filters: theirFilters.nullish(),
    ...theirFields,
  },
  { error: 'A flag in PostHog’s form is an object with a key and filters.' },
)
export type TheirFlag = z.infer<typeof theirFlag>

interface WritingContext {
  /** In the environment that is written; undefined if the flag has none there. */
  setting: FlagSetting | undefined
  groupTypes: GroupTypes
}

/** A field of Tilth's flags in PostHog's form. */
interface FlagField {
  field: keyof Omit<EditableFlag, 'environments'>
  /** PostHog's fields that say it. A change that omits all of them leaves it as it is. */
  by: readonly (keyof TheirFields | 'filters' | 'filters.payloads')[]
  /** The schema of new flags parses the value. */
  read: (flag: TheirFlag, groupTypes: GroupTypes) => unknown
  write?: (flag: Flag) => Partial<PosthogFlag>
  writeFilters?: (flag: Flag, context: WritingContext) => Partial<PosthogFilters>
  /** The change of a flag that exists; otherwise the value that was read. */
  change?: (flag: NewFlag, before: Flag) => Partial<FlagChange>
}

/** All environments share these fields; `import.ts` and `posthog-form.ts` translate what an environment has of its own. */
export const flagFields: readonly FlagField[] = [
  {
    field: 'description',
    by: ['name'],
    read: ({ name }) => name ?? '',
    write: ({ description }) => ({ name: description }),
  },
  {
    field: 'tags',
    by: ['tags'],
    read: ({ tags }) => tags ?? [],
    write: ({ tags }) => ({ tags }),
  },
  {
    field: 'kind',
    by: ['is_remote_configuration', 'filters'],
    read: (flag) =>
      flag.is_remote_configuration ? 'config' : theirVariants(flag).length > 0 ? 'variants' : 'switch',
    write: ({ kind }) => ({ is_remote_configuration: kind === 'config' }),
  },
  {
    field: 'variants',
    by: ['filters'],
    read: (flag) =>
      theirVariants(flag).map(({ key, name, rollout_percentage }) => ({
        key,
        name: name ?? '',
        percentage: rollout_percentage,
      })),
    writeFilters: ({ variants }) => ({
      multivariate:
        variants.length === 0
          ? null
          : {
              variants: variants.map(({ key, name, percentage }) => ({
                key,
                name,
                rollout_percentage: percentage,
              })),
            },
    }),
  },
  // PostHog exports a secret payload only as asterisks
  {
    field: 'payloads',
    by: ['filters.payloads'],
    read: (flag) => (flag.has_encrypted_payloads ? {} : theirPayloads(flag)),
    writeFilters: ({ isSecret, payloads }, { setting }) => ({
      payloads: isSecret ? {} : { ...payloads, ...setting?.payloads },
    }),
    change: ({ isSecret, payloads }) => (isSecret ? {} : { payloads }),
  },
  {
    field: 'isSecret',
    by: ['has_encrypted_payloads'],
    read: (flag) => flag.has_encrypted_payloads === true,
    write: ({ isSecret }) => ({ has_encrypted_payloads: isSecret }),
  },
  {
    field: 'bucketBy',
    by: ['bucketing_identifier', 'filters'],
    read: bucketing,
    write: ({ bucketBy }) => ({ bucketing_identifier: bucketBy.by === 'device' ? 'device_id' : null }),
    writeFilters: ({ bucketBy }, { groupTypes }) =>
      bucketBy.by === 'group' ? { aggregation_group_type_index: numberOf(bucketBy.group, groupTypes) } : {},
  },
  {
    field: 'keepsThroughSignIn',
    by: ['ensure_experience_continuity'],
    read: (flag, groupTypes) =>
      bucketing(flag, groupTypes).by === 'person' && flag.ensure_experience_continuity === true,
    write: ({ keepsThroughSignIn }) => ({ ensure_experience_continuity: keepsThroughSignIn }),
  },
  {
    field: 'servedTo',
    by: ['evaluation_runtime'],
    read: ({ has_encrypted_payloads: isSecret, evaluation_runtime }) =>
      isSecret ? 'servers' : servedTo[evaluation_runtime ?? 'all'],
    write: (flag) => ({ evaluation_runtime: runtimes[flag.servedTo] }),
  },
  {
    field: 'contexts',
    by: ['evaluation_contexts', 'evaluation_tags'],
    read: ({ evaluation_contexts, evaluation_tags }) => evaluation_contexts ?? evaluation_tags ?? [],
    write: ({ contexts }) => ({ evaluation_contexts: contexts }),
  },
  {
    field: 'earlyAccess',
    by: ['filters'],
    read: ({ name, key, filters }) =>
      isEarlyAccess(filters) ? { name: name || key, stage: 'beta' } : undefined,
    writeFilters: ({ earlyAccess }) => (earlyAccess ? { feature_enrollment: true } : {}),
    // PostHog's flags contain only whether they are in early access
    change: ({ earlyAccess }, before) => ({
      earlyAccess: earlyAccess ? (before.earlyAccess ?? earlyAccess) : null,
    }),
  },
]

const servedTo = { all: 'everybody', client: 'browsers', server: 'servers' } as const
const runtimes = { everybody: 'all', browsers: 'client', servers: 'server' } as const

const theirVariants = ({ filters }: TheirFlag) => filters?.multivariate?.variants ?? []

/** Drops payloads of variants that do not exist, which are never returned. */
function theirPayloads(flag: TheirFlag): Record<string, string> {
  const values = new Set(['true', ...theirVariants(flag).map(({ key }) => key)])
  return Object.fromEntries(
    Object.entries(flag.filters?.payloads ?? {})
      .filter(([value, given]) => values.has(value) && given !== null)
      .map(([value, given]) => [value, payloadText(given)]),
  )
}

/** A payload that is not JSON is a text; SDKs return it unchanged. */
function payloadText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  try {
    JSON.parse(value)
    return value
  } catch {
    return JSON.stringify(value)
  }
}

/** Bucketing by device does not apply to groups, as in PostHog. */
function bucketing({ bucketing_identifier, filters }: TheirFlag, groupTypes: GroupTypes) {
  const number = filters?.aggregation_group_type_index
  if (number !== null && number !== undefined) return { by: 'group', group: groupNamed(number, groupTypes) }
  return { by: bucketing_identifier === 'device_id' ? 'device' : 'person' }
}

/** A group type without a number gets an unused one, which makes PostHog's SDKs ask the server. */
export const numberOf = (group: string, groupTypes: GroupTypes): number =>
  Number(Object.keys(groupTypes).find((number) => groupTypes[number] === group) ?? -1)

const isEarlyAccess = (filters: TheirFilters | null | undefined): boolean =>
  filters?.feature_enrollment === true || (filters?.super_groups?.length ?? 0) > 0
