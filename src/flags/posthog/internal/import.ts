import { z } from 'zod'
import { parseInput, type ParsedInput, failedOutcome } from '#projects/problems'
import { newFlag, type NewFlag } from '../../flag-input'
import {
  type GroupTypes,
  groupNamed,
  groupNumber,
  objectionToProperty,
  theirProperty,
  toCondition,
} from '../import-conditions'
import { parseWithNeverMatching } from './never-matching'

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
type TheirSet = z.infer<typeof theirSet>

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
type TheirFilters = z.infer<typeof theirFilters>

const theirFlag = z.looseObject(
  {
    key: z.string({ error: 'A flag of PostHog’s has a key.' }),
    name: z.string().nullish(),
    active: z.boolean().nullish(),
    filters: theirFilters.nullish(),
    ensure_experience_continuity: z.boolean().nullish(),
    evaluation_runtime: z.enum(['all', 'client', 'server']).nullish(),
    bucketing_identifier: z.string().nullish(),
    evaluation_contexts: z.array(z.string()).nullish(),
    evaluation_tags: z.array(z.string()).nullish(),
    tags: z.array(z.string()).nullish(),
    is_remote_configuration: z.boolean().nullish(),
    has_encrypted_payloads: z.boolean().nullish(),
  },
  { error: 'A flag in PostHog’s form is an object with a key and filters.' },
)
type TheirFlag = z.infer<typeof theirFlag>

/** Converts PostHog's JSON to the input for a new flag; its conditions become those of the environment. */
export function fromPosthog(
  given: unknown,
  environment: string,
  groupTypes: GroupTypes,
): ParsedInput<NewFlag> {
  const read = parseInput(theirFlag, given)
  if (!read.done) return read
  const objection = objectionTo(read.value, groupTypes)
  return objection === undefined
    ? parseWithNeverMatching(toFlagInput(read.value, environment, groupTypes), (input) =>
        parseInput(newFlag, input),
      )
    : failedOutcome(objection)
}

/** Refuses flags with features that Tilth does not have, instead of misinterpreting them. */
function objectionTo(flag: TheirFlag, groupTypes: GroupTypes): string | undefined {
  const { groups, aggregation_group_type_index: group = null } = flag.filters ?? {}
  const sets = groups ?? []
  const isMixed = sets.some((one) => (one.aggregation_group_type_index ?? group) !== group)
  if (isMixed) return `“${flag.key}” shares out some sets by persons and some by groups. Make a flag of each.`
  const unnamed = [group, ...sets.flatMap(groupsNamedIn)].find(
    (one) => one !== null && groupNamed(one, groupTypes) === undefined,
  )
  if (unnamed !== undefined)
    return `“${flag.key}” asks for groups of the type number ${unnamed}. Add "group_type_mapping": { "${unnamed}": "company" } with its name.`
  const objection = sets
    .flatMap((one) => one.properties ?? [])
    .map(objectionToProperty)
    .find((one) => one !== undefined)
  return objection && `“${flag.key}” ${objection}`
}

const groupsNamedIn = ({ properties }: TheirSet): (number | string)[] =>
  (properties ?? []).flatMap((one) => (one.type === 'group' ? (one.group_type_index ?? []) : []))

function toFlagInput(flag: TheirFlag, environment: string, groupTypes: GroupTypes) {
  const filters = flag.filters ?? {}
  const bucketBy = bucketing(flag, filters, groupTypes)
  return {
    key: flag.key,
    description: flag.name ?? '',
    tags: flag.tags ?? [],
    ...valuesOf(flag, filters),
    bucketBy,
    keepsThroughSignIn: bucketBy.by === 'person' && flag.ensure_experience_continuity === true,
    contexts: flag.evaluation_contexts ?? flag.evaluation_tags ?? [],
    earlyAccess: isEarlyAccess(filters) ? { name: flag.name || flag.key, stage: 'beta' } : undefined,
    environments: {
      [environment]: {
        isOn: flag.active ?? true,
        conditions: (filters.groups ?? []).map((set) => toConditionSets(set, filters, groupTypes)),
        holdout: holdoutOf(filters),
        ...(filters.layer && { layer: filters.layer }),
      },
    },
  }
}

/** Bucketing by device does not apply to groups, as in PostHog. */
function bucketing({ bucketing_identifier }: TheirFlag, filters: TheirFilters, groupTypes: GroupTypes) {
  const number = filters.aggregation_group_type_index
  if (number !== null && number !== undefined) return { by: 'group', group: groupNamed(number, groupTypes) }
  return { by: bucketing_identifier === 'device_id' ? 'device' : 'person' }
}

/** The flag's values. PostHog exports a secret payload only as asterisks, so it is not imported. */
function valuesOf(flag: TheirFlag, filters: TheirFilters) {
  const variants = filters.multivariate?.variants ?? []
  const isSecret = flag.has_encrypted_payloads === true
  return {
    kind: flag.is_remote_configuration ? 'config' : variants.length > 0 ? 'variants' : 'switch',
    variants: variants.map(({ key, name, rollout_percentage }) => ({
      key,
      name: name ?? '',
      percentage: rollout_percentage,
    })),
    payloads: isSecret ? {} : payloadsOf(filters),
    isSecret,
    servedTo: isSecret ? 'servers' : servedTo[flag.evaluation_runtime ?? 'all'],
  }
}

const servedTo = { all: 'everybody', client: 'browsers', server: 'servers' } as const

const isEarlyAccess = ({ feature_enrollment, super_groups }: TheirFilters): boolean =>
  feature_enrollment === true || (super_groups?.length ?? 0) > 0

/** Drops payloads of variants that do not exist, which are never returned. */
function payloadsOf({ payloads, multivariate }: TheirFilters): Record<string, string> {
  const values = new Set(['true', ...(multivariate?.variants ?? []).map(({ key }) => key)])
  return Object.fromEntries(
    Object.entries(payloads ?? {})
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

/** Before PostHog had holdouts, they were a condition set with the variant "holdout-7". */
function holdoutOf({ holdout, holdout_groups }: TheirFilters) {
  if (holdout) return { id: holdout.id, percentage: holdout.exclusion_percentage }
  const [old] = holdout_groups ?? []
  const id = Number(/^holdout-(\d+)$/.exec(old?.variant ?? '')?.[1])
  return old && id > 0 ? { id, percentage: old.rollout_percentage ?? 100 } : undefined
}

function toConditionSets(
  { properties, rollout_percentage, variant, description }: TheirSet,
  filters: TheirFilters,
  groupTypes: GroupTypes,
) {
  const isKnown = filters.multivariate?.variants.some(({ key }) => key === variant)
  return {
    description: description ?? '',
    conditions: (properties ?? []).map((one) =>
      toCondition(one, filters.aggregation_group_type_index, groupTypes),
    ),
    percentage: rollout_percentage ?? 100,
    // PostHog ignores a variant that the flag does not have
    variant: isKnown ? variant : undefined,
    isLast: filters.early_exit === true,
  }
}

const listed = z.looseObject({
  flags: z.array(z.unknown()).optional(),
  results: z.array(z.unknown()).optional(),
  group_type_mapping: z.record(z.string(), z.string()).optional(),
  // the answer of PostHog's API at /groups_types/
  group_types: z.array(z.looseObject({ group_type: z.string(), group_type_index: z.number() })).optional(),
})

/** Reads one flag, a list, or a response of PostHog's API with all its flags and the names of group types. */
export function flagsInPosthogJson(given: unknown): { flags: unknown[]; groupTypes: GroupTypes } | undefined {
  if (Array.isArray(given)) return { flags: withKeys(given), groupTypes: {} }
  const read = listed.safeParse(given)
  if (!read.success) return undefined
  const { flags, results, group_type_mapping: mapping = {}, group_types: types = [] } = read.data
  const groupTypes = {
    ...Object.fromEntries(types.map((one) => [String(one.group_type_index), one.group_type])),
    ...mapping,
  }
  const several = flags ?? results
  if (several) return { flags: withKeys(several), groupTypes }
  return 'key' in read.data ? { flags: [given], groupTypes } : undefined
}

const numbered = z.looseObject({ id: z.number(), key: z.string() })
const flagShape = z.looseObject({ filters: z.looseObject({ groups: z.array(z.unknown()) }) })
const conditioned = z.looseObject({ properties: z.array(z.unknown()) })
const ofFlag = z.looseObject({ type: z.literal('flag'), key: z.string() })

/** PostHog's API refers to a dependency by its number; Tilth and its SDKs use the key. */
function withKeys(flags: readonly unknown[]): unknown[] {
  const keys = new Map<string, string>()
  for (const flag of flags) {
    const read = numbered.safeParse(flag)
    if (read.success) keys.set(String(read.data.id), read.data.key)
  }
  const taken = new Set(keys.values())
  const named = (key: string) => (taken.has(key) ? key : (keys.get(key) ?? key))
  return flags.map((flag) => renamed(flag, named))
}

function renamed(flag: unknown, named: (key: string) => string): unknown {
  const read = flagShape.safeParse(flag)
  if (!read.success) return flag
  const { filters } = read.data
  return {
    ...read.data,
    filters: { ...filters, groups: filters.groups.map((set) => renamedSet(set, named)) },
  }
}

function renamedSet(set: unknown, named: (key: string) => string): unknown {
  const read = conditioned.safeParse(set)
  if (!read.success) return set
  const properties = read.data.properties.map((one) => {
    const of = ofFlag.safeParse(one)
    return of.success ? { ...of.data, key: named(of.data.key) } : one
  })
  return { ...read.data, properties }
}
