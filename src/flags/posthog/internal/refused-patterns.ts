import { z } from 'zod'
import { conditionProblem } from '#filters/filter'
import { neverMatches } from './never-matching'

const patternProperty = z.looseObject({
  key: z.string(),
  operator: z.enum(['regex', 'not_regex']),
  value: z.string(),
})
const setShape = z.looseObject({ properties: z.array(z.unknown()), description: z.string().nullish() })
const flagShape = z.looseObject({
  filters: z.looseObject({ groups: z.array(z.unknown()), early_exit: z.boolean().nullish() }),
})

const longestDescription = 400

/**
 * Turns off the sets of a flag of PostHog's that ask for a pattern which only PostHog matches, such as one that looks ahead:
 * the rest of the flag can be imported. A set that ends the decision lets others in when it is off, so the flag is off then.
 */
export function withoutRefusedPatterns(given: unknown): { flag: unknown; remarks: string[] } {
  const read = flagShape.safeParse(given)
  if (!read.success) return { flag: given, remarks: [] }
  const { filters, ...rest } = read.data
  const remarks: string[] = []
  const groups = filters.groups.map((set) => withoutPatterns(set, remarks))
  if (remarks.length === 0) return { flag: given, remarks }
  const isDecidedInTurn = filters.early_exit === true
  if (isDecidedInTurn) remarks.push('The flag is off, because its sets are decided in turn.')
  const flag = { ...rest, ...(isDecidedInTurn && { active: false }), filters: { ...filters, groups } }
  return { flag, remarks }
}

function withoutPatterns(given: unknown, remarks: string[]): unknown {
  const set = setShape.safeParse(given)
  if (!set.success) return given
  const refusals = set.data.properties.map(refusalOf)
  const found = refusals.filter((refusal) => refusal !== undefined)
  if (found.length === 0) return given
  remarks.push(...found.map((refusal) => `${refusal} Its condition set is off.`))
  const description = [set.data.description, `Off since the import: ${found.join(' ')}`]
    .filter(Boolean)
    .join(' ')
  return {
    ...set.data,
    properties: set.data.properties.filter((_, index) => refusals[index] === undefined),
    rollout_percentage: 0,
    description: description.slice(0, longestDescription),
  }
}

function refusalOf(given: unknown): string | undefined {
  const read = patternProperty.safeParse(given)
  if (!read.success) return undefined
  const { key, operator, value } = read.data
  const problem = conditionProblem(operator, value)
  if (problem === undefined || neverMatches({ operator, value })) return undefined
  return `The pattern “${value.slice(0, longestShown)}” for “${key}” is refused here: ${problem}`
}

const longestShown = 100
