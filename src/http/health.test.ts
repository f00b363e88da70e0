import { expect, test } from 'vitest'
import { readiness } from './health'

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
