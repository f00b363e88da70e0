import { sendAgainWhileOverloaded } from '../wire/send-again'
import { writeKey } from './owner'
import type { TestStudio } from './studio'

export { writeKey }

export const firefox = 'Mozilla/5.0 (X11; Linux x64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Sent as an SDK would send it. Where `body` names the key of Acme, the key of the studio's own project is sent. */
export async function send(
  { address, writeKey: own }: Pick<TestStudio, 'address' | 'writeKey'>,
  body: unknown,
  userAgent = firefox,
) {
  const sent = JSON.stringify(body).replaceAll(writeKey, own)
  const headers = { 'content-type': 'application/json', 'user-agent': userAgent }
  const answer = await sendAgainWhileOverloaded(() =>
    fetch(`${address}/i/v0/e/`, { method: 'POST', headers, body: sent }),
  )
  return answer.status
}

interface StudioTestEvent {
  event: string
  distinct_id: string
  properties: Record<string, unknown>
}

/** Ana opens a page of the shop, unless something else is said. */
export const anEvent = ({ properties, ...event }: Partial<StudioTestEvent> = {}): StudioTestEvent & {
  api_key: string
} => ({
  api_key: writeKey,
  event: '$pageview',
  distinct_id: 'ana',
  ...event,
  properties: { $current_url: 'https://shop.example.com/pricing', ...properties },
})
