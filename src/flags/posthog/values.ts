import type { Json } from '#events/event'
import type { PropertyCondition } from '#filters/filter'

/** Converts whole numbers to texts: SDKs cannot distinguish 1 from 1.0 and would not decide. */
export const posthogComparison = ({ key, operator, value = 'is_set' }: PropertyCondition) => ({
  key,
  operator,
  value: textsOf(value),
})

/** One text, or a list of texts. */
export const textsOf = (value: Json): string | string[] =>
  Array.isArray(value) ? value.map(asText) : asText(value)

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
