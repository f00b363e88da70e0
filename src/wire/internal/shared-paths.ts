import { isAmplitudeBody, receiveAmplitude } from '../amplitude/amplitude'
import type { UnopenedRequest, WireRequest, WireResponse, WireServices } from '../dialect'
import { isMixpanelBody } from '../mixpanel/internal/items'
import { receiveMixpanel, refuseUnknownToken } from '../mixpanel/mixpanel'
import { parseBody } from '../posthog/internal/body'
import { capture } from '../posthog/internal/capture'
import { refuseUnknownKey } from '../posthog/refusals'

type Receiver = (request: WireRequest, services: WireServices) => Promise<WireResponse>

/**
 * Accepts events at the addresses that PostHog shares with other vendors: `/track` and `/engage` are Mixpanel’s as well,
 * `/batch` is Amplitude’s. The form of the body tells whose it is.
 */
export const captureByShape: Receiver = (request, services) => {
  const parsedBody = parseBody(request)
  return receiverOf(request, parsedBody)({ ...request, parsedBody }, services)
}

/** Refuses an unknown key at an address of PostHog's and Mixpanel's, in the words of the vendor whose form the body has. */
export function refuseByShape(request: UnopenedRequest, services: WireServices): WireResponse | undefined {
  const first = request.leading?.first
  return first !== undefined && isMixpanelBody(first)
    ? refuseUnknownToken(request, services)
    : refuseUnknownKey(request, services)
}

function receiverOf({ path }: WireRequest, body: ReturnType<typeof parseBody>): Receiver {
  if (!body.read) return capture
  if (path === '/batch' && isAmplitudeBody(body.what)) return receiveAmplitude
  if ((path === '/track' || path === '/engage') && isMixpanelBody(body.what)) return receiveMixpanel
  return capture
}
