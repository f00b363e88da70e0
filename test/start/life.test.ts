import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { patienceMs } from '../running/patience'
import {
  aFolder,
  aStartingTilth,
  browserHeaders,
  aTilth,
  childOf,
  childrenOf,
  isGone,
  npmStart,
  run,
  type RunningTestTilth,
  titleOf,
} from './tilth'

const statusOf = async (tilth: RunningTestTilth, path: string): Promise<number> =>
  (await fetch(`${tilth.address}${path}`, { ...browserHeaders, signal: AbortSignal.timeout(patienceMs) }))
    .status

const becomes = async (tilth: RunningTestTilth, path: string, status: number): Promise<void> => {
  await expect.poll(() => statusOf(tilth, path), { interval: 100 }).toBe(status)
}

test('a first start says where it is and with which code it is set up; a second one is the same Tilth', async () => {
  const first = await aTilth()
  expect(first.out).toMatch(/^Tilth is ready at http:\/\/localhost:\d+$/m)
  await first.waitForOutput(/^Set-up code: [0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/m)
  expect(await statusOf(first, '/_tilth/ready')).toBe(200)
  first.kill('SIGTERM')
  await first.ended
  const second = await aTilth({ TILTH_DATA: first.folder })
  expect(await statusOf(second, '/_tilth/ready')).toBe(200)
})

test('once it says that it is ready, no page answers that the pages are starting', async () => {
  const tilth = await aStartingTilth()
  await expect.poll(() => statusOf(tilth, '/_tilth/ready'), { interval: 5 }).not.toBe(503)
  const pages = ['/', '/blog', '/studio']
  const statuses = await Promise.all(pages.map((path) => statusOf(tilth, path)))
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  expect(await statusOf(tilth, '/_tilth/ready')).toBe(200)
})

test('a start with no one at the keyboard asks for nothing, and its children are given none of its secrets; each heap has its limit', async () => {
  const secrets = {
    TILTH_OWNER_EMAIL: 'ana@example.com',
    TILTH_OWNER_PASSWORD: 'lantern orchard violin',
    TILTH_PROJECT: 'Acme',
    TILTH_PROJECT_KEY: 'phc_acme_write_key',
    TILTH_PROJECT_SECRET: 'a-secret-key-of-enough-length',
    TILTH_METRICS_TOKEN: 'a-token-of-enough-length-for-metrics',
    PGPASSWORD: 'of-another-program',
    // an option of the front's Node, and of no other process's
    NODE_OPTIONS: '--no-deprecation',
    TILTH_MEMORY: '1g',
  }
  const { out, pid } = await aTilth(secrets)
  expect(out).not.toContain('Set-up code')
  const children = childrenOf(pid)
  const programs = children.map(({ runs }) => /(?:pages|engine-child)\.js/.exec(runs)?.[0])
  expect(new Set(programs)).toEqual(new Set(['engine-child.js', 'pages.js']))
  const frontRuns = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  const pagesRun = children.find(({ runs }) => runs.includes('pages.js'))?.runs
  expect([frontRuns, pagesRun].map((runs) => /--max-old-space-size=(\d+)/.exec(runs ?? '')?.[1])).toEqual([
    '163',
    '131',
  ])
  for (const child of children) {
    const environment = readFileSync(`/proc/${child.pid}/environ`, 'utf8')
    expect(Object.entries(secrets).filter(([, value]) => environment.includes(value))).toEqual([])
  }
})

describe('a stop', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s under load answers what it took, and exits 0 in order',
    async (signal) => {
      const tilth = await aTilth()
      const children = childrenOf(tilth.pid).map(({ pid }) => pid)
      const load = new Load(tilth.address)
      await expect.poll(() => load.answered).toBeGreaterThan(200)
      tilth.kill(signal)
      expect(await tilth.ended).toEqual({ code: 0, signal: null })
      expect(await load.stop()).toEqual([])
      await expect.poll(() => children.every(isGone)).toBe(true)
      // the last step; a stop that hangs is cut off before it (server/start/internal/shutdown.ts)
      expect(existsSync(join(tilth.folder, 'pid'))).toBe(false)
    },
  )
})

test('npm start, told to stop, exits 0 and leaves nothing running', async () => {
  const folder = aFolder()
  const npm = npmStart({ PORT: '0', TILTH_DATA: folder })
  await npm.waitForOutput(/^Tilth is ready at /m)
  const front = Number(readFileSync(join(folder, 'pid'), 'utf8'))
  npm.kill('SIGTERM')
  expect(await npm.ended).toEqual({ code: 0, signal: null })
  await expect.poll(() => isGone(front)).toBe(true)
})

test('who is told to stop while it starts stops just as well', async () => {
  const attempt = run(['start'], { PORT: '0', TILTH_DATA: aFolder() })
  await attempt.waitForOutput(/^Tilth is starting/m)
  attempt.kill('SIGTERM')
  expect(await attempt.ended).toEqual({ code: 0, signal: null })
  expect(attempt.err).toBe('')
})

/** Asks without pause; what counts is that no answer broke off once it had begun. */
class Load {
  answered = 0
  private isOver = false
  private readonly brokenOff: string[] = []
  private readonly requests: Promise<void>[]

  constructor(address: string) {
    this.requests = ['/_tilth/health', '/_tilth/ready', '/', '/nothing-here'].map((path) =>
      this.ask(address + path),
    )
  }

  async stop(): Promise<string[]> {
    this.isOver = true
    await Promise.all(this.requests)
    return this.brokenOff
  }

  private async ask(url: string): Promise<void> {
    while (!this.isOver) {
      const answer = await fetch(url, browserHeaders).catch(() => undefined)
      if (!answer) continue
      try {
        await answer.text()
        this.answered++
      } catch (problem) {
        this.brokenOff.push(`${url}: ${String(problem)}`)
      }
    }
  }
}

describe('kill -9', () => {
  test('takes the children along, and the folder starts again', async () => {
    const tilth = await aTilth()
    const children = childrenOf(tilth.pid).map(({ pid }) => pid)
    expect(children).toHaveLength(2)
    tilth.kill('SIGKILL')
    await tilth.ended
    await expect.poll(() => children.every(isGone)).toBe(true)
    const again = await aTilth({ TILTH_DATA: tilth.folder })
    expect(await statusOf(again, '/_tilth/ready')).toBe(200)
  })

  test.each([
    ['once the port is open', ''],
    ['once there is a store', 'store.db'],
    ['once the engine has begun', 'engine'],
    ['once the engine has data', 'engine/data'],
    ['once the pages have begun', 'run'],
  ])('while it starts, %s, leaves a folder that starts again', async (_moment, file) => {
    const folder = aFolder()
    const attempt = run(['start'], { PORT: '0', TILTH_DATA: folder })
    await attempt.waitForOutput(/^Tilth is starting/m)
    await expect.poll(() => existsSync(join(folder, file)), { interval: 1 }).toBe(true)
    attempt.kill('SIGKILL')
    await attempt.ended
    const again = await aTilth({ TILTH_DATA: folder })
    expect(await statusOf(again, '/_tilth/ready')).toBe(200)
  })
})

describe('while the pages are', () => {
  test('killed, everything else answers, people see why, and they come back', async () => {
    const tilth = await aTilth()
    const killed = childOf(tilth.pid, 'pages.js')
    process.kill(killed, 'SIGKILL')
    const next = await holdNextPages(tilth, killed)
    for (const path of ['/_tilth/health', '/api/v1/openapi.json'])
      expect(await statusOf(tilth, path)).toBe(200)
    await honestPage(tilth)
    expect(await statusOf(tilth, '/_tilth/ready')).toBe(503)
    process.kill(next, 'SIGCONT')
    await becomes(tilth, '/studio/setup', 200)
    expect(await statusOf(tilth, '/_tilth/ready')).toBe(200)
  })

  test('wedged, everything else answers, people see why, and they are started again', async () => {
    const tilth = await aTilth()
    const pages = childOf(tilth.pid, 'pages.js')
    process.kill(pages, 'SIGSTOP')
    for (const path of ['/_tilth/health', '/api/v1/openapi.json']) {
      expect(await statusOf(tilth, path)).toBe(200)
    }
    await honestPage(tilth)
    await becomes(tilth, '/studio/setup', 200)
    expect(isGone(pages)).toBe(true)
  })

  /** Stops the process that takes the place of the killed one: else it may be there before a slow test has looked. */
  async function holdNextPages({ pid }: RunningTestTilth, killed: number): Promise<number> {
    const next = await vi.waitUntil(
      () => childrenOf(pid).find((child) => child.runs.includes('pages.js') && child.pid !== killed)?.pid,
      { timeout: patienceMs, interval: 5 },
    )
    process.kill(next, 'SIGSTOP')
    return next
  }

  async function honestPage(tilth: RunningTestTilth): Promise<void> {
    const page = await untilRefused(`${tilth.address}/studio/setup`)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(titleOf(await page.text())).toMatch(/^(?:The pages are|This page)/)
  }

  /** A page may still have been on its way; the next one is not. */
  async function untilRefused(url: string): Promise<Response> {
    for (;;) {
      const page = await fetch(url, browserHeaders)
      if (page.status >= 500) return page
      await page.text()
    }
  }
})

test('while the engine is away it is not ready, everything else answers, and it comes back', async () => {
  const tilth = await aTilth()
  process.kill(childOf(tilth.pid, 'engine-child.js'), 'SIGKILL')
  await becomes(tilth, '/_tilth/ready', 503)
  expect(await statusOf(tilth, '/_tilth/health')).toBe(200)
  expect(await statusOf(tilth, '/studio/setup')).toBe(200)
  await becomes(tilth, '/_tilth/ready', 200)
})

test('what no one expected is logged, and the process ends in order with exit code 1', async () => {
  const provoke = `process.on('SIGUSR2', () => setImmediate(() => { throw new Error('nobody expected this') }))`
  const tilth = await aTilth({ NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(provoke)}` })
  tilth.kill('SIGUSR2')
  expect(await tilth.ended).toEqual({ code: 1, signal: null })
  expect(tilth.out).toContain('nobody expected this')
  expect(tilth.out).toContain('"msg":"stopped"')
})
