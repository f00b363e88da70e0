import { setTimeout as pause } from 'node:timers/promises'

/**
 * Sends events as SDKs do: again, after the second that is asked for, where Tilth refused them unread because its event
 * loop is late (src/http/ingest-gate.ts). Other programs of a busy machine are enough for that.
 */
export async function sendAgainWhileOverloaded(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await send()
    if (answer.status !== 503) return answer
    const text = await answer.clone().text()
    if (!text.includes('There is more to do than can be done at this moment')) return answer
    await pause(Number(answer.headers.get('retry-after')) * 1000)
  }
}
