import type { Outbound, OutboundResult } from './outbound'
import { type WebhookSigning, signatureHeaders } from './signature'

export type WebhookDelivery =
  | { delivered: true; status: number }
  | {
      delivered: false
      isFinal: boolean
      why: string
      retryAfterSeconds?: number
      /** Whether the receiver answered; absent where it was not called. */
      hasAnswered?: boolean
    }

/** The receiver wants no more messages: https://www.rfc-editor.org/rfc/rfc9110#status.410 */
const goneStatus = 410

/** Makes one attempt to deliver a message. A status from 200 to 299 confirms it. */
export async function callWebhook(
  outbound: Pick<Outbound, 'send'>,
  { url, body, signing }: { url: string; body: string; signing: WebhookSigning },
): Promise<WebhookDelivery> {
  const headers = signatureHeaders(body, signing)
  return toWebhookDelivery(await outbound.send({ url, method: 'POST', headers, body }))
}

function toWebhookDelivery(result: OutboundResult): WebhookDelivery {
  if (!result.reached) {
    const { isFinal, why } = result
    // an address that may not be reached was not called
    return isFinal
      ? { delivered: false, isFinal, why }
      : { delivered: false, isFinal, why, hasAnswered: false }
  }
  const { status, retryAfterSeconds } = result
  if (status >= 200 && status < 300) return { delivered: true, status }
  const retryAfter = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
  return {
    delivered: false,
    isFinal: status === goneStatus,
    why: `HTTP ${status}.`,
    hasAnswered: true,
    ...retryAfter,
  }
}
