import { z } from 'zod'
import { dateForSdks } from '../internal/sdk-parsing'

/** Names of group types by PostHog's numbers. */
export type GroupTypes = Readonly<Record<string, string>>

/** A type of groups by PostHog's number, or by its name, which Tilth's import takes too. */
export const groupNumber = z.union([z.number(), z.string()])
type GroupNumber = z.infer<typeof groupNumber>

export const groupNamed = (number: GroupNumber, groupTypes: GroupTypes): string | undefined => {
  if (Object.hasOwn(groupTypes, String(number))) return groupTypes[String(number)]
  return typeof number === 'string' && !/^\d*$/.test(number) ? number : undefined
}

export const theirProperty = z.looseObject({
  key: z.string().optional(),
  type: z.string().nullish(),
  operator: z.string().nullish(),
  // conditions are validated later, with Tilth's own
  value: z.unknown().optional(),
  group_type_index: groupNumber.nullish(),
  negation: z.boolean().nullish(),
})
type TheirProperty = z.infer<typeof theirProperty>

/** Why a condition cannot be expressed here. */
export function objectionToProperty(property: TheirProperty): string | undefined {
  if (property.negation && oppositeOperator(property) === undefined)
    return `turns round “${property.operator}”, which has no opposite here.`
  return undefined
}

export function toCondition(
  property: TheirProperty,
  flagGroup: GroupNumber | null | undefined,
  groupTypes: GroupTypes,
) {
  const { key, value, type } = property
  if (type === 'flag') return { type, flag: key, value }
  if (type === 'cohort') return toCohortCondition(property)
  const named = property.negation ? oppositeOperator(property) : operatorOf(property)
  const comparison = comparisons[named ?? '']?.(value) ?? { operator: named, value }
  const group = property.group_type_index ?? flagGroup ?? undefined
  return group !== undefined || type === 'group'
    ? {
        type: 'group',
        group: group === undefined ? undefined : groupNamed(group, groupTypes),
        key,
        ...comparison,
      }
    : { type: type ?? 'person', key, ...comparison }
}

function toCohortCondition(property: TheirProperty) {
  const { value } = property
  const operator = property.negation ? oppositeOperator(property) : (property.operator ?? 'in')
  return { type: 'cohort', cohort: typeof value === 'number' ? String(value) : value, operator }
}

interface Comparison {
  operator: string
  value: unknown
}

/** PostHog compares an empty list with what is true (@posthog/core featureFlagLocalEvaluation.ts). */
const orTrue = (value: unknown): unknown => (Array.isArray(value) && value.length === 0 ? ['true'] : value)

/** A list in `icontains_multi` is a pattern here. */
function containsAny(operator: string): (value: unknown) => Comparison {
  return (value) => {
    const texts = (Array.isArray(value) ? value : [value]).map((one) => escapedPattern(String(one)))
    return { operator, value: `(?i)(?:${texts.join('|')})` }
  }
}

const escapedPattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

/** Writes a date that only PostHog reads, such as "May 1, 2022", in ISO 8601. */
const dated =
  (operator: string) =>
  (value: unknown): Comparison => ({
    operator,
    value: isOddDate(value) ? (dateForSdks(value) ?? value) : value,
  })

const isOddDate = (value: unknown): value is string => typeof value === 'string' && /[a-z]{3}|\//i.test(value)

/** Operators of PostHog's that have another name or another form here. */
const comparisons: Readonly<Record<string, ((value: unknown) => Comparison) | undefined>> = {
  exact: (value) => ({ operator: 'exact', value: orTrue(value) }),
  is_not: (value) => ({ operator: 'is_not', value: orTrue(value) }),
  in: (value) => ({ operator: 'exact', value: orTrue(value) }),
  not_in: (value) => ({ operator: 'is_not', value: orTrue(value) }),
  min: (value) => ({ operator: 'gte', value }),
  max: (value) => ({ operator: 'lte', value }),
  icontains_multi: containsAny('regex'),
  not_icontains_multi: containsAny('not_regex'),
  is_date_before: dated('is_date_before'),
  is_date_after: dated('is_date_after'),
}

const operatorOf = ({ operator }: TheirProperty): string => operator ?? 'exact'

/** The operator that negates a condition. */
function oppositeOperator({ type, operator }: TheirProperty): string | undefined {
  if (type === 'cohort') return operator === 'not_in' ? 'in' : 'not_in'
  return opposites.get(operator ?? 'exact')
}

const pairs = [
  ['exact', 'is_not'],
  ['icontains', 'not_icontains'],
  ['icontains_multi', 'not_icontains_multi'],
  ['in', 'not_in'],
  ['starts_with', 'not_starts_with'],
  ['ends_with', 'not_ends_with'],
  ['regex', 'not_regex'],
  ['is_set', 'is_not_set'],
] as const

const opposites: ReadonlyMap<string, string> = new Map(
  pairs.flatMap(([one, other]): [string, string][] => [
    [one, other],
    [other, one],
  ]),
)
