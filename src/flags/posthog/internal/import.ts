import { z } from 'zod'
import { parseInput, type ParsedInput, failedOutcome } from '#projects/problems'
import { newFlag, type NewFlag } from '../../flag-input'
import { type GroupTypes, groupNamed, objectionToProperty, toCondition } from '../import-conditions'
import { flagFields, type TheirFilters, type TheirFlag, theirFlag, type TheirSet } from './flag-fields'
import { parseWithNeverMatching } from './never-matching'

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
  const fields = flagFields.map(({ field, read }) => [field, read(flag, groupTypes)])
  return {
    key: flag.key,
    ...Object.fromEntries(fields),
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
