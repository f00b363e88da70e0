import { expect, test, vi } from 'vitest'
import { patienceMs } from '../running/patience'
import { aTilth } from '../start/tilth'
import { ownedEnvironment } from '../studio/owner'
import {
  ask,
  beBusy,
  failuresIn,
  isOnDisk,
  killPages,
  listAddresses,
  load,
  pagesOnDisk,
  PostsLab,
  visitAll,
} from './site-lab'

/** `npm run test:deep -- site` sets them: 2,000 posts for minutes, and no answer above ten seconds. */
const posts = Number(process.env['SITE_LAB_POSTS'] ?? 120)
const seconds = Number(process.env['SITE_LAB_SECONDS'] ?? 3)
const slowestMs = Number(process.env['SITE_LAB_SLOWEST_MS'] ?? Number.POSITIVE_INFINITY)

const timeout = (seconds + 120 + posts / 2) * 1000

test(
  'every address answers while posts change, the pages process is killed and the machine is busy, and after a restart',
  async () => {
    const lab = new PostsLab(posts)
    const settings = { ...ownedEnvironment, TILTH_SITE: lab.folder }
    const first = await aTilth(settings)
    const paths = lab.addresses()
    // the lists are asked for at once after the start
    expect(failuresIn(await visitAll(first.address, paths), slowestMs)).toEqual([])

    const visitors = load(first.address, paths, { visitors: 6, slowestMs })
    const endsAt = performance.now() + seconds * 1000
    let round = 0
    while (performance.now() < endsAt) {
      round += 1
      for (let n = round % 7; n < posts; n += 7) lab.write(n, `round ${round}`)
      const busy = beBusy(1000)
      await killPages(first)
      await busy
    }
    await visitors.stop()
    if (slowestMs < Number.POSITIVE_INFINITY) console.log(summary(round, visitors))
    expect(visitors.failures).toEqual([])
    expect(visitors.counts.get('hit')).toBeGreaterThan(0)

    lab.write(3, 'the last one')
    await vi.waitFor(
      async () =>
        expect((await ask(first.address, '/blog/post-3')).text).toContain('The mark is the last one.'),
      { timeout: patienceMs, interval: 50 },
    )
    lab.write(2, 'taken back', 'draft: true\n')
    await vi.waitFor(async () => expect((await ask(first.address, '/blog/post-2')).status).toBe(404), {
      timeout: patienceMs,
      interval: 50,
    })
    await visitAll(first.address, paths)
    await vi.waitFor(
      async () => {
        expect(pagesOnDisk(first.folder).length).toBeGreaterThanOrEqual(paths.length - 1)
        expect(isOnDisk(first.folder, await ask(first.address, '/blog/post-3'))).toBe(true)
      },
      { timeout: patienceMs, interval: 50 },
    )
    first.kill('SIGTERM')
    await first.ended

    lab.remove(4)
    for (let n = 5; n < posts; n += 5) lab.write(n, 'while it was away')
    const again = await aTilth({ ...settings, TILTH_DATA: first.folder, PORT: String(first.port) })
    expect(failuresIn(await visitAll(again.address, listAddresses), slowestMs)).toEqual([])
    const kept = await ask(again.address, '/blog/post-3')
    expect([kept.status, kept.cache, kept.text.includes('The mark is the last one.')]).toEqual([
      200,
      'hit',
      true,
    ])
    expect((await ask(again.address, '/blog/post-2')).status).toBe(404)
    expect((await ask(again.address, '/blog/post-4')).status).toBe(404)
  },
  timeout,
)

function summary(rounds: number, { counts, times }: Pick<ReturnType<typeof load>, 'counts' | 'times'>) {
  const sorted = times.toSorted((one, other) => one - other)
  return {
    rounds,
    answers: times.length,
    counts: Object.fromEntries(counts),
    p99Ms: sorted[Math.floor(sorted.length * 0.99)],
    longestMs: sorted.at(-1),
  }
}
