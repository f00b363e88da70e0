import { uuidFrom } from '#ingest/uuid'

/**
 * Creates the id of a session that a client names by its start. A version 7 uuid carries that time, by which later steps
 * accept it; the same visitor and start become the same id.
 */
export function sessionIdOf(startMs: number | undefined, visitor: string): string | undefined {
  if (startMs === undefined || startMs <= 0 || startMs >= 2 ** 48) return undefined
  const time = Math.trunc(startMs).toString(16).padStart(12, '0')
  const rest = uuidFrom(`session ${visitor} ${time}`)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(15)}`
}
