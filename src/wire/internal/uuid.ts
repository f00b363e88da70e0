import { isUuid, uuidFrom } from '#ingest/uuid'

/**
 * Converts an event's id to a uuid. Pages on plain http cannot create one and send a random text with a time instead:
 * the same text becomes the same uuid, so that a retry is recognised.
 */
export const uuidOf = (id: string): string => (isUuid(id) ? id : uuidFrom(id))
