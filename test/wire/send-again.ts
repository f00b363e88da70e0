import { setTimeout as pause } from 'node:timers/promises'

/** Sends events as SDKs do: again after every 503, as while Tilth starts or its store is slow. */
export const sendUntilTaken = (send: () => Promise<Response>): Promise<Response> => sendAgain(send)

/**
 * Sends again after a 503, but only twice: a busy machine refuses for a moment; a Tilth that needed what is away would
 * refuse until that is back.
 */
export const sendThrice = (send: () => Promise<Response>): Promise<Response> => sendAgain(send, 3)

async function sendAgain(send: () => Promise<Response>, most = Number.POSITIVE_INFINITY): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const answer = await send()
    if (answer.status !== 503 || attempt === most) return answer
    await pause((Number(answer.headers.get('retry-after')) || 1) * 1000)
  }
}
