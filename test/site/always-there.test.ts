import { expect, test, vi } from 'vitest'
import { patienceMs } from '../running/patience'
import { aTilth } from '../start/tilth'
import { ownedEnvironment } from '../studio/owner'
import { ask, beBusy, isOnDisk, killPages, load, pagesOnDisk, PostsLab, visitAll } from './site-lab'

/** `SITE_LAB_POSTS=2000 SITE_LAB_SECONDS=600` is a form for the night. */
const posts = Number(process.env['SITE_LAB_POSTS'] ?? 120)
const seconds = Number(process.env['SITE_LAB_SECONDS'] ?? 3)

const timeout = (seconds + 120 + posts / 10) * 1000

test(
  'every address answers while posts change, the pages process is killed and the machine is busy, and after a restart',
  async () => {
    const lab = new PostsLab(posts)
    const settings = { ...ownedEnvironment, TILTH_SITE: lab.folder }
    const first = await aTilth(settings)
    const paths = lab.addresses()
    const answers = await visitAll(first.address, paths)
    expect(answers.filter(({ status }) => status !== 200).map(({ path, status }) => [path, status])).toEqual(
      [],
    )

    const visitors = load(first.address, paths, 6)
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
    const again = await aTilth({ ...settings, TILTH_DATA: first.folder, PORT: String(first.port) })
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
