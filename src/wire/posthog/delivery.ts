import type { Json, Properties } from '../../events/event'
import { isProperties } from '../unpack'
import { timeOf } from './time'

/** The events of one request, and what was said of all of them together. */
export interface Delivery {
  events: readonly Json[]
  /** The write key that stands for all; without it, every event may name its own. */
  key: string | undefined
  sentAt: Date | undefined
  isHistorical: boolean
}

/** A batch, a bare list of events, or one bare event. */
export function deliveryOf(body: Json): Delivery {
  if (Array.isArray(body)) return { events: body, key: undefined, sentAt: undefined, isHistorical: false }
  const said = isProperties(body) ? body : {}
  const isBatch = Object.hasOwn(said, 'batch')
  return {
    events: isBatch ? batchOf(said['batch']) : Object.keys(said).length > 0 ? [said] : [],
    key: isBatch ? keyIn(said) : undefined,
    sentAt: timeOf(said['sent_at']),
    isHistorical: said['historical_migration'] === true,
  }
}

const batchOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

const keyNames = ['api_key', 'token', '$token'] as const

function keyIn(said: Properties): string | undefined {
  for (const name of keyNames) {
    const key = said[name]
    if (typeof key === 'string' && key.trim() !== '') return key.trim()
  }
  return undefined
}

/** Every key that a delivery names; the address and the headers are asked when it names none. */
export function keysOf(
  delivery: Delivery,
  elsewhere: readonly (string | null | undefined)[],
): readonly string[] {
  const keys = new Set(delivery.key === undefined ? [] : [delivery.key])
  for (const event of delivery.events) {
    const key = isProperties(event) ? keyOfEvent(event, delivery.key !== undefined) : undefined
    if (key !== undefined) keys.add(key)
  }
  const other = elsewhere.find((one) => one?.trim())?.trim()
  return keys.size === 0 && other ? [other] : [...keys]
}

/** Whoever names a key for the whole batch may have a property called "token" that means something else. */
function keyOfEvent(event: Properties, isNamedForAll: boolean): string | undefined {
  const beside = keyIn(event)
  if (beside !== undefined) return beside
  const among = isProperties(event['properties']) ? keyIn(event['properties']) : undefined
  return isNamedForAll && !among?.startsWith('phc_') ? undefined : among
}
