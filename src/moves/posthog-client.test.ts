import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { FakePosthog } from '#test/outside/fake-posthog'
import { aFolder } from '#test/product/fixture'
import { retryAfterMs } from './posthog-client'

let posthog: FakePosthog
beforeAll(async () => {
  posthog = await FakePosthog.start({ cohorts: Array.from({ length: 230 }, (_, id) => ({ id })) })
})
afterAll(() => posthog.stop())
beforeEach(() => void posthog.faults.splice(0))

test('a list is read page by page', async () => {
  expect((await posthog.client().list('cohorts/')).map(({ id }) => id)).toEqual([...Array(230).keys()])
})

test('the client waits as long as PostHog asks to, or longer each time, and says so', async () => {
  const [pauses, messages]: [number[], string[]] = [[], []]
  posthog.faults.push(
    { status: 429, headers: { 'retry-after': '31' }, body: { detail: 'Request was throttled.' } },
    { status: 503, body: '<html>' },
    { status: 502 },
  )
  await posthog.client({ pauses, said: messages }).read('')
  expect(pauses).toEqual([31_000, 4000, 8000])
  expect(messages).toEqual(['PostHog is asked again in 31 s.'])
})

test('the client gives up after eight tries, with what PostHog said', async () => {
  const pauses: number[] = []
  posthog.faults.push(...Array.from({ length: 8 }, () => ({ status: 429, body: { detail: 'Throttled.' } })))
  await expect(posthog.client({ pauses }).read('')).rejects.toThrow('PostHog answers 429: Throttled.')
  expect(pauses).toHaveLength(7)
})

test.each([
  ['2', 2000],
  ['Tue, 24 Nov 2026 10:00:05 GMT', 5000],
  ['soon', undefined],
  [undefined, undefined],
])('Retry-After %s is %s ms', (text, ms) =>
  expect(retryAfterMs(text, Date.parse('2026-11-24T10:00:00Z'))).toBe(ms),
)

test.each([
  [401, 'invalid', /does not take the key: it may have expired/],
  [402, 'Over the limit', /asks for payment first: Over the limit/],
  [403, "API key missing required scope 'query:read'", /lacks a right: API key missing .*query:read/],
  [404, 'Not found.', /look at --from and --posthog-project/],
])('the refusal %s is a sentence, at once', async (status, detail, sentence) => {
  const pauses: number[] = []
  posthog.faults.push({ status, body: { detail } })
  await expect(posthog.client({ pauses }).read('')).rejects.toThrow(sentence)
  expect(pauses).toEqual([])
})

test('an answer that is not of PostHog is a sentence', async () => {
  posthog.faults.push({ status: 200, body: '<!doctype html>' }, { status: 200, body: { hello: 1 } })
  await expect(posthog.client().read('')).rejects.toThrow('is not JSON')
  await expect(posthog.client().list('cohorts/')).rejects.toThrow('a form that is unknown')
})

test('an address in the network of the machine is refused unless it is allowed', async () => {
  const pauses: number[] = []
  await expect(posthog.client({ allow: '10.0.0.0/8', pauses }).read('')).rejects.toThrow(
    'TILTH_OUTBOUND_ALLOW',
  )
  expect(pauses).toEqual([])
})

test('a file is downloaded from where PostHog keeps it, which never gets the key', async () => {
  posthog.project.persons.push({
    distinct_id: 'ana',
    person_id: 'p1',
    properties: {},
    created_at: '2024-01-02T00:00:00Z',
  })
  const client = posthog.client()
  const { id } = (await client.post('file_download_batch_exports/', {
    model: 'persons',
    file: { format: 'JSONLines', compression: 'gzip' },
    data_interval_start: '2024-01-01T00:00:00Z',
    data_interval_end: '2024-01-08T00:00:00Z',
  })) as { id: string }
  const folder = aFolder()
  mkdirSync(folder, { recursive: true })
  await client.download(`file_download_batch_exports/${id}/download/0-file/`, join(folder, 'persons'))
  expect(gunzipSync(readFileSync(join(folder, 'persons'))).toString()).toContain('"distinct_id":"ana"')
  expect(posthog.storageHeaders).toEqual([
    expect.not.objectContaining({ authorization: expect.anything() as string }),
  ])
})
