import { z } from 'zod'
import type { Filter } from '../filter'
import { namedMoment } from '../moments'
import { numberOf } from '../numbers'
import { readPattern } from '../patterns'
import { textOf } from './text-values'
import { versionOf, versionRanges } from './versions'
import { isOperator, type OperatorName, operatorNames, type OperandKind, vocabulary } from '../vocabulary'

const most = { depth: 5, conditions: 100, values: 1000, keyCharacters: 200, valueCharacters: 10_000 }

const shape =
  'A filter is a condition, or { "all": […] } or { "any": […] } of filters. A condition has a type ("event", "person", ' +
  '"group", "session", with a key and an operator; or "cohort", with a cohort and the operator "in" or "not_in").'

const key = z.string().check((found) => {
  const { length } = found.value
  if (length > 0 && length <= most.keyCharacters) return
  found.issues.push(
    issue(found.value, `A property’s key has 1 to ${most.keyCharacters} characters; this one has ${length}.`),
  )
})

const plainSchemas = ['string', 'number', 'boolean'].map((type) => ({ type }))

const parts = z.strictObject({
  type: z.enum(['event', 'person', 'group', 'session']),
  key,
  group: z.string().min(1).max(most.keyCharacters).optional(),
  operator: z.string().meta({ enum: operatorNames }),
  // checked below, at most one list deep, because the nesting is unbounded
  value: z
    .unknown()
    .optional()
    .meta({ anyOf: [...plainSchemas, { type: 'array', items: { anyOf: plainSchemas } }] }),
})

const property = parts.check((found) => {
  for (const message of objections(found.value)) found.issues.push(issue(found.value, message))
})

const cohort = z.strictObject({
  type: z.literal('cohort'),
  cohort: z.string().min(1).max(most.keyCharacters),
  operator: z.enum(['in', 'not_in']),
})

const anyFilter: z.ZodType = z.lazy(() =>
  z.union(
    [
      property,
      cohort,
      z.strictObject({ all: z.array(anyFilter) }),
      z.strictObject({
        any: z.array(anyFilter).min(1, 'Name at least one condition in "any", or use "all".'),
      }),
    ],
    { error: shape },
  ),
)

/** Parses filters of clients, with a sentence for each invalid condition. */
// `property` has made sure of the operator's name and of the value, which its type cannot say
export const filter = z.preprocess(withinBounds, anyFilter) as z.ZodType<Filter>

/** Limits nesting and size before the schema walks the value. */
function withinBounds(value: unknown, { issues }: { issues: z.core.$ZodRawIssue[] }): unknown {
  const trouble = tooDeep(value, most.depth)
    ? `Conditions are nested deeper than ${most.depth} times. Put some of them side by side.`
    : conditionsIn(value) > most.conditions &&
      `A filter has at most ${most.conditions} conditions. A cohort can stand for many.`
  if (trouble) issues.push({ ...issue(value, trouble), continue: false })
  return value
}

function tooDeep(value: unknown, levels: number): boolean {
  const members = membersOf(value)
  return members !== undefined && (levels === 0 || members.some((one) => tooDeep(one, levels - 1)))
}

function conditionsIn(value: unknown): number {
  const members = membersOf(value)
  return members ? members.reduce<number>((sum, one) => sum + conditionsIn(one), 0) : 1
}

function membersOf(value: unknown): unknown[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const members = 'all' in value ? value.all : 'any' in value ? value.any : undefined
  return Array.isArray(members) ? members : undefined
}

const issue = (input: unknown, message: string) => ({
  code: 'custom' as const,
  message,
  input,
  continue: true,
})

function objections({ type, key: named, group, operator, value }: z.infer<typeof parts>): string[] {
  if (!isOperator(operator))
    return [`There is no operator "${operator}". There are: ${operatorNames.join(', ')}.`]
  const found = [type === 'group' && group === undefined && missingGroup, objectionTo(value, operator)]
  return found.filter((one) => typeof one === 'string').map((one) => `Condition on "${named}": ${one}`)
}

const missingGroup = 'say the group’s type, as in { "type": "group", "group": "company", … }.'

/** Why a condition with this operator and value is refused. Flags from elsewhere may hold one, which never matches. */
export function conditionProblem(operator: string, value: unknown): string | undefined {
  return isOperator(operator) ? objectionTo(value, operator) : `There is no operator "${operator}".`
}

function objectionTo(value: unknown, operator: OperatorName): string | undefined {
  const { takes } = vocabulary[operator]
  if (takes === 'nothing') return undefined
  if (value === undefined || value === null) return `"${operator}" needs a value.`
  const values: unknown[] = Array.isArray(value) ? value : [value]
  if (values.length === 0 || !values.every(isPlain))
    return 'the value is a text, a number, a boolean, or a list of them that is not empty.'
  if (Array.isArray(value) && takes !== 'many' && takes !== 'range')
    return `"${operator}" takes one value, not a list.`
  return tooMuch(values) ?? expectations[takes](values, operator)
}

type PlainValue = string | number | boolean

const isPlain = (value: unknown): value is PlainValue =>
  ['string', 'number', 'boolean'].includes(typeof value)

function tooMuch(values: readonly PlainValue[]): string | undefined {
  if (values.length > most.values)
    return `a list has at most ${most.values} values, this one ${values.length}. A pattern or a cohort can stand for many.`
  return values.some((one) => String(one).length > most.valueCharacters)
    ? `a value has at most ${most.valueCharacters} characters.`
    : undefined
}

/** Checks a value by the operand kind of its operator; a single value comes as a list of one. */
const expectations: Record<
  Exclude<OperandKind, 'nothing'>,
  (values: readonly PlainValue[], operator: OperatorName) => string | undefined
> = {
  one: () => undefined,
  many: () => undefined,
  number: ([value]) => (typeof value === 'boolean' ? 'the value is a number or a text.' : undefined),
  range: (values) =>
    values.length === 2 && values.every((end) => numberOf(end) !== undefined)
      ? undefined
      : 'the value is a list of two numbers, the least and the most.',
  date: ([value = '']) =>
    namedMoment(value, new Date(0)) === undefined
      ? `"${value}" is no date. Write it like 2026-11-21, 2026-11-21T10:30:00Z, or -7d for seven days ago.`
      : undefined,
  version([value = ''], operator) {
    if (operator !== 'semver_wildcard')
      return versionOf(value) ? undefined : `"${value}" is no version. Write it like 1.2.3.`
    return versionRanges.among(value) ? undefined : `"${value}" stands for no versions. Write it like 1.2.*.`
  },
  pattern([value = '']) {
    const reading = readPattern(textOf(value))
    return 'refused' in reading ? reading.refused : undefined
  },
}
