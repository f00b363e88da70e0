import { expect } from 'vitest'
import { aTilth, type Environment, type Tilth } from '../start/tilth'

/** A Tilth that runs as people run it, with one project, and what tests ask of it. */

export const key = 'phc_whole_test_key'
export const secret = 'a-secret-key-of-the-test'
export const owned: Environment = {
  TILTH_OWNER_EMAIL: 'ana@example.com',
  TILTH_OWNER_PASSWORD: 'five unrelated words do well',
  TILTH_PROJECT: 'Acme',
  TILTH_PROJECT_KEY: key,
  TILTH_PROJECT_SECRET: secret,
}

export const anOwnedTilth = (environment: Environment = {}): Promise<Tilth> =>
  aTilth({ ...owned, ...environment })

export interface Stored {
  uuid: string
  event: string
  distinct_id: string
  person_id: string
  session_id: string
  properties: Record<string, string>
}

/** What the engine has, asked as a program asks. */
export async function events({ address }: Tilth, query = ''): Promise<Stored[]> {
  const answer = await fetch(`${address}/api/v1/projects/acme/events?limit=1000${query}`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  if (!answer.ok) return []
  const { events: found } = (await answer.json()) as { events: Stored[] } // the endpoint's own description says so
  return found
}

export const stored = (tilth: Tilth, amount: number) =>
  expect.poll(() => events(tilth), { timeout: 15_000, interval: 50 }).toHaveLength(amount)

/** A change to the project, as a program makes it. */
export const change = ({ address }: Tilth, body: object): Promise<Response> =>
  fetch(`${address}/api/v1/projects/acme`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** A number that Tilth tells of itself, by its name and labels as Prometheus writes them. */
export async function metric({ address }: Tilth, name: string): Promise<number> {
  const text = await (await fetch(`${address}/_tilth/metrics`)).text()
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.slice(name.length) ?? 0)
}

export const browser =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

export async function capture(tilth: Tilth, event: object, path = '/e/'): Promise<Response> {
  return await fetch(tilth.address + path, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'user-agent': browser },
    body: JSON.stringify({ api_key: key, batch: [event] }),
  })
}

export const pageview = (distinctId: string, rest: object = {}) => ({
  uuid: crypto.randomUUID(),
  event: '$pageview',
  properties: {
    distinct_id: distinctId,
    $current_url: 'https://acme.example/pricing?utm_source=news&token=secret',
  },
  ...rest,
})
