import { eventLabel } from '#events/taxonomy'
import { valueName } from '#events/value-names'
import { isDimensionName, wordsOf } from '../text/dimension-words'
import type { AskedNumber } from './number-queries'

const longestName = 80

/** Names the persons behind a number, as a suggestion for what is made of them. */
export function numberName(number: AskedNumber): string {
  const name = namesByKind[number.query.kind]?.(number) ?? 'People of a number'
  return name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name
}

const namesByKind: Readonly<Record<string, (number: AskedNumber) => string>> = {
  breakdown: ({ point: { dimension, value } }) => {
    if (typeof dimension !== 'string' || !isDimensionName(dimension)) return 'Visitors'
    return `${wordsOf(dimension).label}: ${valueName(dimension, typeof value === 'string' ? value : null)}`
  },
  totals: () => 'Visitors',
  trend: ({ query, point }) => {
    const values = Array.isArray(point['breakdown'])
      ? point['breakdown'].map((one) => String(one ?? 'none'))
      : []
    return [eventAt(query['series'], point['series']), ...values].join(', ')
  },
  funnel: ({ query, point: { step, outcome } }) =>
    `${outcome === 'dropped' ? 'Dropped off before' : 'Reached'} ${eventAt(query['steps'], step)}`,
  correlation: ({ point: { name, outcome } }) =>
    `${outcome === 'dropped' ? 'Dropped off' : 'Converted'} with ${eventLabel(String(name))}`,
  retention: ({ query, point: { interval, returned } }) => {
    const unit = typeof query['interval'] === 'string' ? query['interval'] : 'day'
    return `${returned === false ? 'Not back' : 'Back'} in ${unit} ${String(interval)}`
  },
  lifecycle: ({ point: { state } }) => {
    const text = String(state)
    return `${text.charAt(0).toUpperCase()}${text.slice(1)} persons`
  },
  stickiness: ({ query, point: { n } }) => {
    const unit = typeof query['interval'] === 'string' ? query['interval'] : 'day'
    return `Active on ${String(n)} ${unit}${n === 1 ? '' : 's'}`
  },
  paths: ({ point: { node, dropOff, link } }) => {
    if (typeof dropOff === 'string') return `Left after ${nodeName(dropOff)}`
    if (typeof node === 'string') return `Came by ${nodeName(node)}`
    const { from, to } = typeof link === 'object' && link !== null ? Object(link) : {}
    return `${nodeName(String(from))} to ${nodeName(String(to))}`
  },
  survey: ({ point: { values } }) =>
    Array.isArray(values)
      ? `Answered ${values.map((one) => String(one ?? 'other')).join(' or ')}`
      : 'Answered',
}

function eventAt(list: unknown, index: unknown): string {
  const found: unknown = Array.isArray(list) ? list[Number(index)] : undefined
  if (typeof found !== 'object' || found === null) return 'an event'
  const { label, event } = Object(found)
  if (typeof label === 'string') return label
  return typeof event === 'string' ? eventLabel(event) : 'any event'
}

/** The id of a node begins with its step. */
const nodeName = (id: string): string => id.replace(/^\d+:/, '') || 'others'
