import { setTimeout as pause } from 'node:timers/promises'
import { wireRefusal } from '#http/refusals'

/**
 * Sends events as SDKs do: again, after the second that is asked for, where Tilth refused them unread because its event
 * loop is late (src/http/ingest-gate.ts). Other programs of a busy machine are enough for that.
 */
export const sendAgainWhileOverloaded = (send: () => Promise<Response>): Promise<Response> =>
  sendAgainWhile(send, async (answer) => (await answer.clone().text()) === overloaded.body)

const overloaded = wireRefusal({ headers: {} }, 'overloaded')

/** As SDKs do after every 503, for tests in which none is expected: as while the store is slow. */
export const sendUntilTaken = (send: () => Promise<Response>): Promise<Response> =>
  sendAgainWhile(send, async () => true)

/**
 * Sends again after a 503, but only twice: a busy machine refuses for a moment; a Tilth that needed what is away would
 * refuse until that is back.
 */
export const sendThrice = (send: () => Promise<Response>): Promise<Response> =>
  sendAgainWhile(send, async () => true, 3)

async function sendAgainWhile(
  send: () => Promise<Response>,
  isTemporary: (answer: Response) => Promise<boolean>,
  most = Number.POSITIVE_INFINITY,
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const answer = await send()
    if (answer.status !== 503 || attempt === most || !(await isTemporary(answer))) return answer
    await pause((Number(answer.headers.get('retry-after')) || 1) * 1000)
  }
}
