import { resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { FakePosthog } from '#test/outside/fake-posthog'
import { openTestProduct } from '#test/product/fixture'
import { commandLine } from './command-line'

const root = resolve(import.meta.dirname, '../..')

let posthog: FakePosthog
beforeAll(async () => {
  posthog = await FakePosthog.start({
    feature_flags: [{ id: 1, key: 'beta', active: true, filters: { groups: [{ rollout_percentage: 30 }] } }],
    insights: [{ id: 2, name: 'Paths', query: { kind: 'PathsQuery' } }],
    events: [
      {
        uuid: '018f0000-0000-7000-8000-000000000001',
        event: 'order placed',
        distinct_id: 'ana',
        timestamp: '2024-01-02T00:00:00Z',
        properties: {},
      },
    ],
  })
})
afterAll(() => posthog.stop())
afterEach(() => {
  process.exitCode = undefined
})

async function says(...args: string[]) {
  const out: string[] = []
  const err: string[] = []
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean(out.push(String(text)))),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean(err.push(String(text)))),
  ]
  try {
    const command = commandLine({ root, programs: resolve(root, 'dist') }, '0.0.0')
    await command.parseAsync(['import', 'posthog', ...args], { from: 'user' })
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return { out: out.join(''), err: err.join(''), code: process.exitCode }
}

async function aData({ key = posthog.key, allow = '127.0.0.1' } = {}) {
  const { folder, aProject } = await openTestProduct()
  await aProject({ name: 'Acme' })
  vi.stubEnv('TILTH_DATA', folder)
  vi.stubEnv('TILTH_OUTBOUND_ALLOW', allow)
  vi.stubEnv('POSTHOG_PERSONAL_API_KEY', key)
  onTestFinished(() => void vi.unstubAllEnvs())
}

const there = () => ['--from', `${posthog.origin}/project/7`, '--posthog-project', '7'] as const

test('a preview counts at PostHog, and flags alone are imported without a running Tilth', async () => {
  await aData()
  expect(await says(...there(), '--preview')).toEqual({
    out: [
      'made      flag beta',
      'left out  insight Paths: Tilth does not answer queries of the kind "PathsQuery". It answers HogQLQuery, EventsQuery, TrendsQuery, FunnelsQuery, LifecycleQuery, StickinessQuery, RetentionQuery.',
      '1 would be made, 0 were there already, 1 left out.',
      '',
      '1 events from 2024-01-02T00:00:00Z to 2024-01-02T00:00:00Z, and 0 distinct ids of persons.',
      'Events, by name (1 of 1):',
      '             1  order placed',
      '',
      'Nothing was changed. Recordings, heatmaps, and blocked pages, hosts and countries of the project are left out of its events.\n',
    ].join('\n'),
    err: '',
    code: undefined,
  })
  const flags = [...there(), '--only', 'flags'] as const
  expect((await says(...flags)).out).toContain(
    'made      flag beta\n1 made, 0 were there already, 0 left out.',
  )
  expect(JSON.parse((await says(...flags, '--json')).out)).toMatchObject({
    entries: { made: [], there: [{ kind: 'flags', name: 'beta' }] },
  })
})

test.each<[string[], string]>([
  [[], 'Name the files of an export, or PostHog itself'],
  [['events.jsonl', '--from', 'https://eu.posthog.com'], 'Give either files or --from.'],
  [['--from', 'eu.posthog.com'], 'Write --from as https://eu.posthog.com.'],
  [['--from', 'https://eu.posthog.com'], 'Give --posthog-project'],
  [
    ['--from', 'https://eu.posthog.com', '--posthog-project', '7', '--only', 'flag'],
    'There is no part “flag”',
  ],
  [['--from', 'https://eu.posthog.com', '--posthog-project', '7', '--until', 'soon'], 'is not an instant'],
])('%j is refused with a sentence', async (args, sentence) => {
  await aData()
  expect(await says(...args)).toMatchObject({ code: 1, err: expect.stringContaining(sentence) as string })
})

test('a key that PostHog does not take, and an address in a private network, are sentences', async () => {
  await aData({ key: 'phx_other' })
  expect((await says(...there())).err).toContain('PostHog does not take the key')
  await aData({ allow: '' })
  expect((await says(...there())).err).toContain('TILTH_OUTBOUND_ALLOW')
})
