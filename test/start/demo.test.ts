import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { beginningBefore, eventsByDay } from '#demo/internal/demo-days'
import { aFolder, aTilth, type TestEnvironment, run, type RunningTestTilth } from './tilth'

const secret = 'a-secret-key-of-the-test'
const owned: TestEnvironment = {
  TILTH_OWNER_EMAIL: 'ana@example.com',
  TILTH_OWNER_PASSWORD: 'five unrelated words do well',
  TILTH_PROJECT: 'Acme',
  TILTH_PROJECT_SECRET: secret,
}

/** Long enough to be interrupted. */
const storyEvents = 20_000

const whereItRuns = ({ folder, port }: RunningTestTilth): TestEnvironment => ({
  TILTH_DATA: folder,
  PORT: String(port),
})

async function demo(tilth: RunningTestTilth, ...options: string[]) {
  const command = run(['demo', '--json', ...options], whereItRuns(tilth))
  const { code } = await command.ended
  return { code, err: command.err, ...(code === 0 ? (JSON.parse(command.out) as object) : {}) }
}

async function birthOf(slug: string, tilth: RunningTestTilth): Promise<Date> {
  const command = run(['project', 'list', '--json'], whereItRuns(tilth))
  await command.ended
  const all = JSON.parse(command.out) as { slug: string; createdAt: string }[]
  return new Date(all.find((project) => project.slug === slug)?.createdAt ?? '')
}

/** The number of events of the whole story when it is told at that time: it leaves out the last three minutes. */
function toldBy(time: number, createdAt: Date): number {
  const until = new Date(time - 3 * 60_000)
  const story = { seed: '1', begin: beginningBefore(createdAt), until, events: storyEvents }
  return [...eventsByDay(story)].flat().length
}

/** The number of events in each state, as the metrics report it. */
async function journalCounts({ address }: RunningTestTilth): Promise<Record<string, number>> {
  const text = await (await fetch(`${address}/_tilth/metrics`)).text()
  const found = text.matchAll(/^tilth_events\{state="(\w+)"\} (\d+)$/gm)
  return Object.fromEntries(Array.from(found, ([, state = '', amount]) => [state, Number(amount)]))
}

/** The events of the demo’s project as `tilth export` writes them. */
async function exportedLines(tilth: RunningTestTilth, folder: string): Promise<{ uuid: string }[]> {
  const command = run(['export', folder, '--project', 'demo', '--json'], whereItRuns(tilth))
  const { code } = await command.ended
  expect([code, command.err]).toEqual([0, ''])
  return readdirSync(folder)
    .filter((name) => name.startsWith('events-'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as { uuid: string })
}

describe('tilth demo', () => {
  test('fills a project, every event of it stored, and adds nothing when called again', async () => {
    const tilth = await aTilth(owned)

    const told = await demo(tilth, '--events', '5000')
    expect(told).toMatchObject({
      code: 0,
      project: 'demo',
      isNew: true,
      address: `${tilth.address}/studio/demo`,
    })
    const { events } = told as { events?: number }
    expect(events).toBeGreaterThan(4000)
    await expect
      .poll(() => journalCounts(tilth))
      .toMatchObject({ accepted: events, stored: events, pending: 0, quarantined: 0 })

    expect(await demo(tilth, '--events', '5000')).toMatchObject({ code: 0, isNew: false })
    const after = await journalCounts(tilth)
    expect(after['stored']).toBeLessThan((events ?? 0) + 50)

    const [folder, stored] = [aFolder(), Number(after['stored'])]
    const lines = await exportedLines(tilth, folder)
    expect(lines.length).toBe(stored)
    expect(new Set(lines.map(({ uuid }) => uuid)).size).toBe(stored)
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
    const again = run(['export', folder, '--project', 'demo', '--table', 'events'], whereItRuns(tilth))
    expect((await again.ended).code).toBe(0)
    expect(again.err).toContain('there already')
  })

  test('goes on where it was interrupted, and doubles nothing', async () => {
    const tilth = await aTilth(owned)
    const first = run(['demo', '--events', String(storyEvents)], whereItRuns(tilth))
    await expect.poll(() => first.err, { interval: 10 }).toContain('Demo: 10 %')
    first.kill('SIGKILL')
    await first.ended

    const [began, again, ended] = [Date.now(), await demo(tilth), Date.now()]
    expect(again).toMatchObject({ code: 0, isNew: false })
    const { stored } = await journalCounts(tilth)
    const createdAt = await birthOf('demo', tilth)
    expect(stored).toBeGreaterThanOrEqual(toldBy(began, createdAt))
    expect(stored).toBeLessThanOrEqual(toldBy(ended, createdAt))
  })

  test('says so when Tilth ends meanwhile', async () => {
    const tilth = await aTilth(owned)
    const command = run(['demo'], whereItRuns(tilth))
    await expect.poll(() => command.err, { interval: 10 }).toContain('Demo: 10 %')
    tilth.kill('SIGKILL')
    expect((await command.ended).code).toBe(1)
    expect(command.err).toMatch(/^Tilth at \S+ stopped answering .* it goes on where it stopped\.$/m)
  })

  test('says what to do where no Tilth runs', async () => {
    const command = run(['demo'], { TILTH_DATA: aFolder(), PORT: '9' })
    expect((await command.ended).code).toBe(1)
    expect(command.err).toMatch(
      /^No Tilth answers at http:\/\/localhost:9: start it with "npm start -- --demo"/,
    )
  })

  test('leaves a project of one’s own alone, and does not mix two stories', async () => {
    const tilth = await aTilth(owned)
    expect(await demo(tilth, '--project', 'acme')).toMatchObject({
      code: 1,
      err: expect.stringContaining('is a project of your own'),
    })
    expect(await demo(tilth, '--events', '500')).toMatchObject({ code: 0 })
    expect(await demo(tilth, '--events', '900')).toMatchObject({
      code: 1,
      err: expect.stringContaining('--events 500 --seed 1'),
    })
  })
})

test('a start with --demo fills the demo beside a Tilth that answers, and both end together', async () => {
  const tilth = run(['start', '--demo'], { PORT: '0', TILTH_DATA: aFolder(), ...owned })
  const [, address = ''] = await tilth.waitForOutput(/^Tilth is ready at (\S+)/m)
  await expect.poll(() => tilth.err, { interval: 10 }).toContain('Demo: 10 %')
  expect((await fetch(`${address}/_tilth/health`)).status).toBe(200)
  tilth.kill('SIGTERM')
  expect(await tilth.ended).toEqual({ code: 0, signal: null })
})
