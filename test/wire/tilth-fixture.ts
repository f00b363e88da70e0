import { expect, onTestFinished, vi } from 'vitest'
import { patienceMs } from '../running/patience'
import { aTilth, type EndLater, type TestEnvironment, type RunningTestTilth } from '../start/tilth'

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

export const anOwnedTilth = (
  environment: TestEnvironment = {},
  endLater: EndLater = onTestFinished,
): Promise<RunningTestTilth> => aTilth({ ...ownedEnvironment, ...environment }, endLater)

/** A project of a Tilth that runs; Acme, where nothing else is said. */
export interface TestProject {
  address: string
  slug?: string
  key?: string
  secret?: string
}

interface StoredTestEvent {
  uuid: string
  event: string
  distinct_id: string
  person_id: string
  session_id: string
  properties: Record<string, string>
}

/** The events in the engine, read through the API. */
export async function fetchEvents(project: TestProject, query = ''): Promise<StoredTestEvent[]> {
  const answer = await fetch(`${projectApi(project)}/events?limit=1000${query}`, {
    headers: bearerOf(project),
  })
  if (!answer.ok) return []
  const { events: found } = (await answer.json()) as { events: StoredTestEvent[] } // the endpoint's own description says so
  return found
}

const projectApi = ({ address, slug = 'acme' }: TestProject) => `${address}/api/v1/projects/${slug}`

const bearerOf = (project: TestProject) => ({ authorization: `Bearer ${project.secret ?? secret}` })

export const waitForStored = (project: TestProject, amount: number) =>
  vi.waitFor(async () => expect(await fetchEvents(project)).toHaveLength(amount), {
    timeout: patienceMs,
    interval: 50,
  })

/** A change to the project, as a program makes it. */
export const changeProject = (project: TestProject, body: object): Promise<Response> =>
  fetch(projectApi(project), {
    method: 'PATCH',
    headers: { ...bearerOf(project), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** A number that Tilth tells of itself, by its name and labels as Prometheus writes them. */
export async function readMetric({ address }: Pick<TestProject, 'address'>, name: string): Promise<number> {
  const text = await (await fetch(`${address}/_tilth/metrics`)).text()
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.slice(name.length) ?? 0)
}

export const browser =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

export async function sendCapture(project: TestProject, event: object, path = '/e/'): Promise<Response> {
  const body = JSON.stringify({ api_key: project.key ?? key, batch: [event] })
  const headers = { 'content-type': 'text/plain', 'user-agent': browser }
  return await fetch(project.address + path, { method: 'POST', headers, body })
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
