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
  const older = olderForm(given)
  return older ? joined('all', older, groupTypes, field) : conditionFrom(given, groupTypes, field)
}

const olderOperators: ReadonlySet<string> = new Set([
  'is_not',
  'icontains',
  'not_icontains',
  'regex',
  'not_regex',
  'gt',
  'gte',
  'lt',
  'lte',
  'is_set',
  'is_not_set',
])

/** PostHog's older form: `{"plan": "pro", "price__gt": 5}`, which its MCP server still sends. */
function olderForm(given: unknown): object[] | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  if (['key', 'type', 'values'].some((name) => name in given)) return undefined
  return Object.entries(given).map(([name, value]) => {
    const [, key = '', operator = ''] = /^(.+)__([a-z_]+)$/.exec(name) ?? []
    return olderOperators.has(operator)
      ? { type: 'event', key, operator, value }
      : { type: 'event', key: name, operator: 'exact', value }
  })
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
