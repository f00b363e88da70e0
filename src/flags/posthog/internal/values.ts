import type { Json } from '#events/event'
import type { PropertyCondition } from '#filters/filter'
import { namedMoment } from '#filters/moments'

/** Converts whole numbers to texts: SDKs cannot distinguish 1 from 1.0 and would not decide. */
export const posthogComparison = ({ key, operator, value = 'is_set' }: PropertyCondition) => ({
  key,
  operator,
  value: numberInOrder(operator, value) ?? textsOf(value),
})

/** Makes the same for SDKs that evaluate it: they would read a date without a zone on the clock of their machine. */
export const locallyComparable = ({ key, operator, value = 'is_set' }: PropertyCondition) => ({
  key,
  operator,
  value:
    numberInOrder(operator, value) ??
    (dateOperators.has(operator) ? dateForLocal(value) : undefined) ??
    textsOf(value),
})

/** A number that values are more or less than stays a number: a text would be compared as a text. */
const numberInOrder = (operator: string, value: Json): number | undefined =>
  typeof value === 'number' && orderOperators.has(operator) ? value : undefined

const orderOperators: ReadonlySet<string> = new Set(['gt', 'gte', 'lt', 'lte'])
const dateOperators: ReadonlySet<string> = new Set(['is_date_before', 'is_date_after'])

/** SDKs compute these relative dates as Tilth does. Several months are subtracted one by one, or the day may differ. */
const alikeRelative = /^-?(?:\d{1,4}[hd]|\d{1,3}w|0*1m|0*[123]y)$/
const relative = /^-?\d+[a-z]$/

/** Returns a date that SDKs and Tilth read alike; undefined if the value is none. */
export function dateForLocal(value: Json): string | undefined {
  if (typeof value !== 'string') return undefined
  if (relative.test(value)) return alikeRelative.test(value) ? value : undefined
  const at = namedMoment(value, new Date(0))
  return at === undefined ? undefined : new Date(at).toISOString()
}

/** One text, or a list of texts. */
export const textsOf = (value: Json): string | string[] =>
  Array.isArray(value) ? value.map(asText) : asText(value)

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
