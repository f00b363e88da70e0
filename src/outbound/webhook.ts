import type { Outbound, Reached } from './reach'
import { type Signing, signatureHeaders } from './signature'

export type Delivered =
  | { delivered: true; status: number }
  | { delivered: false; isFinal: boolean; why: string; retryAfterSeconds?: number }

/** Told to do without, for good: https://www.rfc-editor.org/rfc/rfc9110#status.410 */
const gone = 410

/** One attempt at one message. Whoever got it says so with any number from 200 to 299. */
export async function callWebhook(
  outbound: Pick<Outbound, 'run'>,
  { url, body, signing }: { url: string; body: string; signing: Signing },
): Promise<Delivered> {
  const headers = signatureHeaders(body, signing)
  return delivered(await outbound.run({ url, method: 'POST', headers, body }))
}

function delivered(answer: Reached): Delivered {
  if (!answer.reached) return { delivered: false, isFinal: answer.isFinal, why: answer.why }
  const { status, retryAfterSeconds } = answer
  if (status >= 200 && status < 300) return { delivered: true, status }
  const later = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
  return { delivered: false, isFinal: status === gone, why: `It was answered with ${status}.`, ...later }
}
