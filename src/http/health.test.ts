import { afterEach, expect, test, vi } from 'vitest'
import { readiness } from './health'

afterEach(() => void vi.useRealTimers())

test('a front that got no processor for long reads the answer of its store before it calls it unreachable', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  // an import, an export and batches of events have a statement each in line before it
  const arrived = async () => {
    for (let turn = 0; turn < 12; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  const ready = readiness({ store: { ping: arrived } })
  vi.advanceTimersByTime(60_000)
  expect((await ready).parts['store']).toEqual({ ok: true, status: 'ready' })

  const unreachable = readiness({ store: { ping: () => new Promise(() => {}) } })
  vi.advanceTimersByTime(60_000)
  expect((await unreachable).parts['store']).toMatchObject({ ok: false, status: 'unreachable' })
})

test('a store that responds, but whose changes cannot be read, makes readiness degraded and says since when', async () => {
  const storeOf = async (staleMs: Record<string, number>) =>
    (await readiness({ store: { ping: async () => {}, staleMs: () => staleMs } })).parts['store']
  expect(await storeOf({ flags: 0, posts: 9000 })).toEqual({ ok: true, status: 'ready' })
  expect(await storeOf({ flags: 0, posts: 31_000, surveys: 12_000 })).toEqual({
    ok: true,
    status: 'degraded',
    trouble:
      'Changes of posts, surveys could not be read for 31 seconds; earlier ones are served. The log says why.',
  })
})
