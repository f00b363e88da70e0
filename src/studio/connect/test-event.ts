import { testEvent } from '#studio/live/live-event-labels'

/** The event names no page: a project that keeps events of its own hosts alone would drop the studio's. */
const testRequest = (key: string, uuid: string, now: Date) => ({
  path: '/_tilth/event',
  body: JSON.stringify({ key, events: [{ uuid, name: testEvent, time: now.getTime() }] }),
})

export type TestOutcome =
  | { is: 'taken'; uuid: string }
  | { is: 'dropped' }
  | { is: 'refused'; status: number; says: string }
  | { is: 'unsent' }

/** Sends a real event the way a page would, and says what became of it. */
export async function sendTestEvent(key: string): Promise<TestOutcome> {
  const uuid = newEventId()
  const { path, body } = testRequest(key, uuid, new Date())
  try {
    const answer = await fetch(path, { method: 'POST', body, credentials: 'omit' })
    return outcomeOf(answer.status, answer.headers.get('x-tilth-dropped'), await answer.text(), uuid)
  } catch {
    return { is: 'unsent' }
  }
}

export function outcomeOf(status: number, dropped: string | null, text: string, uuid: string): TestOutcome {
  if (status !== 200) return { is: 'refused', status, says: refusalMessageIn(text) }
  return dropped === null ? { is: 'taken', uuid } : { is: 'dropped' }
}

/** Tilth's own errors are JSON with an `error`; a proxy may respond with a page, which is not shown. */
function refusalMessageIn(text: string): string {
  try {
    const response: unknown = JSON.parse(text)
    return typeof response === 'object' && response && 'error' in response ? String(response.error) : ''
  } catch {
    return ''
  }
}

/** Browsers make uuids on secure pages only; on others, chance in the shape of one. */
function newEventId(): string {
  if (isSecureContext) return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}
