import type { Json } from '#events/event'
import { valueName } from '#events/value-names'
import type { CohortCondition, Filter, PropertyCondition } from './filter'
import { vocabulary } from './vocabulary'

/** "Browser is Chrome or Firefox and Country is not set". */
export function filterInWords(filter: Filter, labels: (key: string) => string = (key) => key): string {
  if ('all' in filter) return joined(filter.all, ' and ', labels)
  if ('any' in filter) return joined(filter.any, ' or ', labels)
  return filter.type === 'cohort' ? cohortInWords(filter) : propertyInWords(filter, labels)
}

function joined(filters: readonly Filter[], word: ' and ' | ' or ', labels: (key: string) => string): string {
  const [only] = filters
  if (only && filters.length === 1) return filterInWords(only, labels)
  if (!only) return word === ' and ' ? 'anything' : 'nothing'
  return filters
    .map((one) => (isSeveral(one) ? `(${filterInWords(one, labels)})` : filterInWords(one, labels)))
    .join(word)
}

/** Whether a filter has several parts and needs brackets inside another. */
const isSeveral = (filter: Filter): boolean =>
  ('all' in filter && filter.all.length > 1) || ('any' in filter && filter.any.length > 1)

const cohortInWords = ({ operator, cohort }: CohortCondition): string =>
  `is ${operator === 'in' ? 'in' : 'not in'} cohort ${cohort}`

function propertyInWords(
  { type, key, operator, value }: PropertyCondition,
  labels: (key: string) => string,
): string {
  const { label, takes } = vocabulary[operator]
  const sentence = `${labels(key)} ${label}`
  if (takes === 'nothing' || value === undefined) return sentence
  const named = (one: Json): Json =>
    takes === 'many' && type !== 'group' && typeof one === 'string' && one !== '' ? valueName(key, one) : one
  const values = (Array.isArray(value) ? value : [value]).map((one) =>
    takes === 'date' ? dateInWords(one) : valueInWords(named(one)),
  )
  return `${sentence} ${values.join(takes === 'range' ? ' and ' : ' or ')}`
}

/** Quotes a value that is empty or whose end would be ambiguous. */
function valueInWords(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^$|^\s|\s$| (?:and|or) /.test(text) ? `“${text}”` : text
}

const units: Readonly<Record<string, string>> = { h: 'hour', d: 'day', w: 'week', m: 'month', y: 'year' }

function dateInWords(value: Json): string {
  const [, amount, letter = ''] = /^-?(\d+)([hdwmy])$/.exec(typeof value === 'string' ? value : '') ?? []
  if (amount === undefined) return valueInWords(value)
  return `${Number(amount)} ${units[letter]}${Number(amount) === 1 ? '' : 's'} ago`
}
