import type { WebhookDelivery } from '#outbound/webhook'
import type { DeliveryAttempt } from './dispatcher'

/** A call of a webhook, as the dispatcher counts it. */
export function toDeliveryAttempt(answer: WebhookDelivery): DeliveryAttempt {
  if (answer.delivered) return { sent: true, outcome: `HTTP ${answer.status}.` }
  const { isFinal, why: outcome, retryAfterSeconds: atLeastSeconds, hasAnswered } = answer
  return { sent: false, isFinal, outcome, atLeastSeconds, ...(hasAnswered !== undefined && { hasAnswered }) }
}
