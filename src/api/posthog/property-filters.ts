import { z } from 'zod'
import { toCondition, type GroupTypes } from '#flags/posthog/import-conditions'
import { failedOutcome, type Outcome } from '#projects/problems'

/** A filter in Tilth's form, which the product parses; undefined without conditions. */
type FilterOutcome = Outcome<{ filter: object | undefined }>

const property = z.looseObject({
  key: z.union([z.string(), z.number()]).optional(),
  type: z.string().nullish(),
  operator: z.string().nullish(),
  value: z.unknown().optional(),
  group_type_index: z.union([z.number(), z.string()]).nullish(),
  negation: z.boolean().nullish(),
})

const group = z.looseObject({ type: z.enum(['AND', 'OR']), values: z.array(z.unknown()) })

/** Types of PostHog's properties that mean the same here; `feature` is a flag on an event. */
const types: Readonly<Record<string, string | undefined>> = {
  event: 'event',
  feature: 'event',
  person: 'person',
  group: 'group',
  cohort: 'cohort',
}

/** Converts PostHog's list or group of property filters. */
export function filterFrom(given: unknown, groupTypes: GroupTypes, field = 'properties'): FilterOutcome {
  if (given === undefined || given === null) return { done: true, filter: undefined }
  if (Array.isArray(given)) return joined('all', given, groupTypes, field)
  const read = group.safeParse(given)
  if (read.success)
    return joined(read.data.type === 'AND' ? 'all' : 'any', read.data.values, groupTypes, field)
  return conditionFrom(given, groupTypes, field)
}

function joined(
  word: 'all' | 'any',
  given: readonly unknown[],
  groupTypes: GroupTypes,
  field: string,
): FilterOutcome {
  const filters: object[] = []
  for (const one of given) {
    const read = filterFrom(one, groupTypes, field)
    if (!read.done) return read
    if (read.filter) filters.push(read.filter)
  }
  const [first, ...more] = filters
  return { done: true, filter: more.length > 0 ? { [word]: filters } : first }
}

function conditionFrom(given: unknown, groupTypes: GroupTypes, field: string): FilterOutcome {
  const read = property.safeParse(given)
  if (!read.success)
    return failedOutcome('A property filter has a key, an operator, a value and a type.', field)
  const { type, key, ...rest } = read.data
  const named = types[type ?? 'event']
  if (named === undefined)
    return failedOutcome(
      `Tilth does not filter by properties of the type "${type}". It does by event, person, group and cohort.`,
      field,
    )
  const { group: groupName, ...condition } = {
    group: undefined,
    ...toCondition({ ...rest, key: String(key ?? ''), type: named }, undefined, groupTypes),
  }
  if (named === 'group' && groupName === undefined)
    return failedOutcome('There is no type of groups with this number. See /groups_types/.', field)
  return { done: true, filter: { ...condition, ...(groupName !== undefined && { group: groupName }) } }
}
