import { createHash } from 'node:crypto'
import { isUuid } from '#ingest/uuid'

/**
 * An event's own id as a uuid. Pages that came by plain http cannot make one and send chance and time instead: the same
 * text makes the same uuid, so that a second attempt is still known as one.
 */
export const uuidOf = (id: string): string => (isUuid(id) ? id : uuidFrom(id))

/** Version 8 is the one for uuids made in a way of one's own. */
export function uuidFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
