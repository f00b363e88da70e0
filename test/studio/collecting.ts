import { expect } from 'vitest'
import { sendUntilTaken } from '../wire/send-again'
import { writeKey } from './owner'
import { askApi, type TestStudio } from './studio'

export { writeKey }

const firefox = 'Mozilla/5.0 (X11; Linux x64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Sent as an SDK would send it. Where `body` names the key of Acme, the key of the studio's own project is sent. */
export async function send(
  { address, writeKey: own }: Pick<TestStudio, 'address' | 'writeKey'>,
  body: unknown,
  userAgent = firefox,
) {
  const sent = JSON.stringify(body).replaceAll(writeKey, own)
  const headers = { 'content-type': 'application/json', 'user-agent': userAgent }
  const answer = await sendUntilTaken(() =>
    fetch(`${address}/i/v0/e/`, { method: 'POST', headers, body: sent }),
  )
  return answer.status
}

/** Waits until so many events of Acme are stored: an answer to a sender says that an event is in the journal. */
export async function untilStored(studio: Pick<TestStudio, 'address'>, count: number): Promise<void> {
  const sql = 'select count() from events'
  const stored = async (): Promise<number> => {
    const { rows } = await askApi<{ rows: unknown[][] }>(studio, 'POST', '/projects/acme/query?fresh', {
      sql,
    })
    return Number(rows[0]?.[0])
  }
  await expect.poll(stored, { interval: 250 }).toBeGreaterThanOrEqual(count)
}

interface StudioTestEvent {
  event: string
  distinct_id: string
  properties: Record<string, unknown>
  /** The time of the event; now, if absent. */
  timestamp?: string
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
