import type { Json } from '../../events/event'
import type { PropertyCondition } from '../../filters/filter'
import type { OperatorName } from '../../filters/vocabulary'

/**
 * How posthog-node reads what is known of a person. Filters read for insights as well, where all is text that came out of
 * the engine; the two differ at the edges, and flags go with the SDK, so that a server that decides by itself and one that
 * asks us come to the same answer. posthog-node 5.70, @posthog/core featureFlagLocalEvaluation.ts
 */
export function asSdksRead(condition: PropertyCondition, value: Json): Json {
  const read = readings[condition.operator]
  return read ? read(value, condition) : value
}

type Reading = (value: Json, condition: PropertyCondition) => Json

/** To it, null is there. */
const present: Reading = (value) => value ?? true

/** Letters are the same in either case only within ASCII, where what is sought is. */
const whole: Reading = (value, { value: wanted }) =>
  isBeyondAscii(value) && isAscii(wanted) ? replaced(value.toLowerCase()) : value

const partly: Reading = (value, { value: wanted }) => {
  const text = joined(value)
  return isBeyondAscii(text) && isAscii(wanted) ? replaced(text) : text
}

/** Lists as texts with commas, where filters see JSON. */
const joined = (value: Json): Json => (typeof value === 'object' && value !== null ? listed(value) : value)

const listed = (value: Json[] | { [key: string]: Json }): string =>
  Array.isArray(value) ? value.map(member).join(',') : '[object Object]'

function member(one: Json): string {
  if (one === null) return ''
  return typeof one === 'object' ? listed(one) : String(one)
}

const readings: Partial<Record<OperatorName, Reading>> = {
  exact: whole,
  is_not: whole,
  icontains: partly,
  not_icontains: partly,
  starts_with: partly,
  not_starts_with: partly,
  ends_with: partly,
  not_ends_with: partly,
  regex: joined,
  not_regex: joined,
  is_set: present,
  is_not_set: present,
}

const beyondAscii = /[^\0-\x7f]/
const allBeyondAscii = /[^\0-\x7f]/g

const isBeyondAscii = (value: Json): value is string => typeof value === 'string' && beyondAscii.test(value)

/** What is sought, all of it. */
export const isAscii = (wanted: Json | undefined): boolean =>
  Array.isArray(wanted) ? wanted.every(isAscii) : typeof wanted !== 'string' || !beyondAscii.test(wanted)

/** By what is the same as nothing that is sought. */
const replaced = (text: string): string => text.replaceAll(allBeyondAscii, '\ufffd')
