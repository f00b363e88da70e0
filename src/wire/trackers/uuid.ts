import { createHash } from 'node:crypto'
import { isUuid } from '#ingest/uuid'

/**
 * Converts an event's id to a uuid. Pages on plain http cannot create one and send a random text with a time instead:
 * the same text becomes the same uuid, so that a retry is recognised.
 */
export const uuidOf = (id: string): string => (isUuid(id) ? id : uuidFrom(id))

/** Version 8 is for uuids with a custom algorithm. */
export function uuidFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
