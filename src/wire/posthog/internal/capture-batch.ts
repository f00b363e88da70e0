import type { Json, Properties } from '#events/event'
import { isProperties } from '../../decode-body'
import { parseTime } from '../time'

/** The events of one request, and the fields that apply to all of them. */
export interface CaptureBatch {
  events: readonly Json[]
  /** The write key for all events; without it, every event may have its own. */
  key: string | undefined
  sentAt: Date | undefined
  isHistorical: boolean
}

/** Parses a batch, a list of events, or a single event. */
export function parseCaptureBatch(body: Json): CaptureBatch {
  if (Array.isArray(body)) return { events: body, key: undefined, sentAt: undefined, isHistorical: false }
  const fields = isProperties(body) ? body : {}
  const isBatch = Object.hasOwn(fields, 'batch')
  return {
    events: isBatch ? batchOf(fields['batch']) : Object.keys(fields).length > 0 ? [fields] : [],
    key: isBatch ? keyIn(fields) : undefined,
    sentAt: parseTime(fields['sent_at']),
    isHistorical: fields['historical_migration'] === true,
  }
}

const batchOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/** The names of a key in a body. */
export const keyNames = ['api_key', 'token', '$token'] as const

function keyIn(fields: Properties): string | undefined {
  for (const name of keyNames) {
    const key = fields[name]
    if (typeof key === 'string' && key.trim() !== '') return key.trim()
  }
  return undefined
}

/** All keys named in a batch. The URL and the headers are read only if the batch names none. */
export function keysIn(
  batch: CaptureBatch,
  fallbackKeys: readonly (string | null | undefined)[],
): readonly string[] {
  const keys = new Set(batch.key === undefined ? [] : [batch.key])
  for (const event of batch.events) {
    const key = isProperties(event) ? keyOfEvent(event, batch.key !== undefined) : undefined
    if (key !== undefined) keys.add(key)
  }
  const other = fallbackKeys.find((one) => one?.trim())?.trim()
  return keys.size === 0 && other ? [other] : [...keys]
}

/** Returns the key of an event. In a batch with a key for all, the property "token" may have another meaning. */
export function keyOfEvent(event: Properties, isNamedForAll: boolean): string | undefined {
  const beside = keyIn(event)
  if (beside !== undefined) return beside
  const among = isProperties(event['properties']) ? keyIn(event['properties']) : undefined
  return isNamedForAll && !among?.startsWith('phc_') ? undefined : among
}
