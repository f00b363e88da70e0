import type { Json } from '#events/event'
import type { PropertyCondition } from '#filters/filter'

/** Whole numbers would leave SDKs in doubt whether 1 or 1.0 was meant, so that they would not decide. */
export const posthogComparison = ({ key, operator, value = 'is_set' }: PropertyCondition) => ({
  key,
  operator,
  value: textsOf(value),
})

/** One, or a list of them. */
export const textsOf = (value: Json): string | string[] =>
  Array.isArray(value) ? value.map(asText) : asText(value)

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
