import { expect } from 'vitest'
import { aTilth, type TestEnvironment, type RunningTestTilth } from '../start/tilth'
import { sendAgainWhileOverloaded } from './send-again'

/** A Tilth that runs as people run it, with one project, and what tests ask of it. */

export const key = 'phc_whole_test_key'
export const secret = 'a-secret-key-of-the-test'
export const ownedEnvironment: TestEnvironment = {
  TILTH_OWNER_EMAIL: 'ana@example.com',
  TILTH_OWNER_PASSWORD: 'five unrelated words do well',
  TILTH_PROJECT: 'Acme',
  TILTH_PROJECT_KEY: key,
  TILTH_PROJECT_SECRET: secret,
}

export const anOwnedTilth = (environment: TestEnvironment = {}): Promise<RunningTestTilth> =>
  aTilth({ ...ownedEnvironment, ...environment })

export interface StoredTestEvent {
  uuid: string
  event: string
  distinct_id: string
  person_id: string
  session_id: string
  properties: Record<string, string>
}

/** What the engine has, asked as a program asks. */
export async function fetchEvents({ address }: RunningTestTilth, query = ''): Promise<StoredTestEvent[]> {
  const answer = await fetch(`${address}/api/v1/projects/acme/events?limit=1000${query}`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  if (!answer.ok) return []
  const { events: found } = (await answer.json()) as { events: StoredTestEvent[] } // the endpoint's own description says so
  return found
}

export const waitForStored = (tilth: RunningTestTilth, amount: number) =>
  expect.poll(() => fetchEvents(tilth), { timeout: 15_000, interval: 50 }).toHaveLength(amount)

/** A change to the project, as a program makes it. */
export const changeProject = ({ address }: RunningTestTilth, body: object): Promise<Response> =>
  fetch(`${address}/api/v1/projects/acme`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** A number that Tilth tells of itself, by its name and labels as Prometheus writes them. */
export async function readMetric({ address }: RunningTestTilth, name: string): Promise<number> {
  const text = await (await fetch(`${address}/_tilth/metrics`)).text()
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.slice(name.length) ?? 0)
}

export const browser =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

export async function sendCapture(tilth: RunningTestTilth, event: object, path = '/e/'): Promise<Response> {
  const body = JSON.stringify({ api_key: key, batch: [event] })
  const headers = { 'content-type': 'text/plain', 'user-agent': browser }
  return await sendAgainWhileOverloaded(() => fetch(tilth.address + path, { method: 'POST', headers, body }))
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
