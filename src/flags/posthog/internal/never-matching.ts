import { z } from 'zod'
import { conditionProblem } from '#filters/filter'
import type { ParsedInput } from '#projects/problems'
import type { Condition, Flag } from '../../flag'
import type { NewFlag } from '../../flag-input'

interface ComparedInput {
  type?: unknown
  key?: unknown
  operator?: unknown
  value?: unknown
}

/**
 * Whether a condition is one that PostHog holds and never fulfils: on a pattern, a version, a date or a number that is
 * none. An import keeps it as it is; the next change of the flag's conditions has to correct it.
 */
export function neverMatches({ operator, value }: ComparedInput): boolean {
  if (typeof operator !== 'string' || conditionProblem(operator, value) === undefined) return false
  const { success, data: plain } = plainValue.safeParse(value)
  if (!success) return false
  return operator === 'regex' || operator === 'not_regex'
    ? !isPattern(plain)
    : /^(?:gte?|lte?|is_date_\w+|semver_\w+)$/.test(operator)
}

const plainValue = z.union([z.string(), z.number(), z.boolean()]).nullish()

/** Whether PostHog matches a pattern. Some of those that it matches, such as ones that look ahead, are refused here. */
function isPattern(source: string | number | boolean | null | undefined): boolean {
  if (source === null || source === undefined) return false
  try {
    return new RegExp(String(source)) instanceof RegExp
  } catch {
    return false
  }
}

interface FlagInput {
  environments: Record<string, { conditions: { conditions: ComparedInput[] }[] }>
}

/** Parses the input of a flag whose schema would refuse conditions that never match. */
export function parseWithNeverMatching(
  input: FlagInput,
  parse: (input: unknown) => ParsedInput<NewFlag>,
): ParsedInput<NewFlag> {
  const parsed = parse(mapConditions(input, (one) => (neverMatches(one) ? standIn(one) : one)))
  if (!parsed.done) return parsed
  const environments = Object.entries(parsed.value.environments).map(([name, setting]) => {
    const given = input.environments[name]?.conditions ?? []
    const conditions = setting.conditions.map((set, place) => ({
      ...set,
      conditions: set.conditions.map((one, index) => asGiven(one, given[place]?.conditions[index])),
    }))
    return [name, { ...setting, conditions }]
  })
  return { done: true, value: { ...parsed.value, environments: Object.fromEntries(environments) } }
}

/** A valid condition on the same property. */
const standIn = ({ value: _, ...condition }: ComparedInput): ComparedInput => ({
  ...condition,
  operator: 'is_set',
})

// only the value differs from the condition that the schema has parsed
const asGiven = (parsed: Condition, given: ComparedInput | undefined): Condition =>
  given && neverMatches(given)
    ? ({ ...parsed, operator: given.operator, value: given.value ?? null } as Condition)
    : parsed

const mapConditions = (
  { environments, ...input }: FlagInput,
  change: (condition: ComparedInput) => ComparedInput,
): FlagInput => ({
  ...input,
  environments: Object.fromEntries(
    Object.entries(environments).map(([name, setting]) => [
      name,
      {
        ...setting,
        conditions: setting.conditions.map((set) => ({ ...set, conditions: set.conditions.map(change) })),
      },
    ]),
  ),
})

/** Names the conditions of a flag that never match, each with the reason. */
export const neverMatchingIn = ({ environments }: Pick<Flag, 'environments'>): string[] =>
  Object.values(environments)
    .flatMap(({ conditions }) => conditions)
    .flatMap(({ conditions }) => conditions)
    .flatMap((condition) => {
      if (condition.type === 'flag' || condition.type === 'cohort') return []
      const problem = conditionProblem(condition.operator, condition.value)
      return problem === undefined ? [] : [`Condition on “${condition.key}”: ${problem} It never matches.`]
    })
