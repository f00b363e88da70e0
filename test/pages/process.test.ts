import { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import {
  afterEach,
  beforeAll,
  afterAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { patienceMs } from '../running/patience'
import { aFolder, present } from '../product/fixture'
import { aVisitor, openBrowser, untilAlive } from './browser'
import { aFront, type TestFront } from './fixture'

let site: TestFront
let browser: Browser

beforeAll(async () => void (browser = await openBrowser()))
afterAll(() => browser?.close())

let holdsPages = false
beforeEach(async () => void (site = await aFront({ holdsPages })))
afterEach(() => site?.close())

const ask = (path: string, headers: Record<string, string> = {}) => fetch(site.address + path, { headers })

const signal = (name: NodeJS.Signals) => {
  const { pid } = site.pages.health()
  if (pid === undefined) throw new Error('There is no pages process to send a signal to.')
  process.kill(pid, name)
}

/** Stops the process that takes the place of another: else it may be ready before a slow test has looked. */
async function holdNextPages(before: number | undefined): Promise<void> {
  const next = () => {
    const { pid } = site.pages.health()
    return pid !== before && pid
  }
  process.kill(await vi.waitUntil(next, { timeout: patienceMs, interval: 5 }), 'SIGSTOP')
}

describe('the one Product', () => {
  test('is the same for the proxy, for a page and for an action', async () => {
    await site.pages.ready()
    const { page } = await aVisitor(browser, site.address)

    await page.goto('/studio/instance', { waitUntil: 'networkidle' })
    await untilAlive(page)
    const seenByPage = await page.locator('[data-seen-by=page]').textContent()
    await page.getByRole('button', { name: 'Ask' }).click()
    await expect.poll(() => page.getByRole('status').textContent()).not.toBe('')
    const seenByAction = await page.getByRole('status').textContent()
    const seenByProxy = (await ask('/blog')).headers.get('x-tilth-product')

    expect(seenByPage).toMatch(/^[\da-f]{16}$/)
    expect(seenByAction).toBe(seenByPage)
    expect(seenByProxy).toBe(seenByPage)
  })
})

test('where an action sends a person is asked of our own pages, and never of a stranger on port 3000', async () => {
  const strangers = await aStrangerOnNextsPort()
  await site.pages.ready()
  const { page } = await aVisitor(browser, site.address)
  await page.goto('/studio/acting', { waitUntil: 'networkidle' })
  await untilAlive(page)
  const requests: string[] = []
  page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByRole('heading', { name: 'Arrived' }).waitFor()

  await expect.poll(() => new URL(page.url()).search).toBe('?by=action')
  // The answer to the action carried the page: the browser did not ask for it.
  expect(requests.filter((request) => !request.includes('/_next/static/'))).toEqual(['POST /studio/acting'])
  expect(site.logged.map(({ msg }) => msg)).not.toContainEqual(expect.stringContaining('redirect response'))
  expect(strangers.heard).toEqual([])
})

/** Listens where Next believes to be itself by default. Another Tilth may be there already; then it has the port. */
async function aStrangerOnNextsPort(): Promise<{ heard: string[] }> {
  const messages: string[] = []
  const stranger = createServer((request, response) => {
    messages.push(request.url ?? '')
    response.end()
  })
  onTestFinished(() => void stranger.close())
  const listening = once(stranger, 'listening')
  stranger.listen(3000, 'localhost')
  await listening.catch((problem: NodeJS.ErrnoException) => expect(problem.code).toBe('EADDRINUSE'))
  return { heard: messages }
}

describe('while there are no pages', () => {
  beforeAll(() => void (holdsPages = true))
  afterAll(() => void (holdsPages = false))
  afterEach(() => signal('SIGCONT'))

  test('a person who comes too early waits on an honest page, and is shown the page in the end', async () => {
    const { page } = await aVisitor(browser, site.address)

    const answer = await page.goto('/provoked/arrival')
    expect(answer?.status()).toBe(503)
    expect(answer?.headers()['retry-after']).toBe('2')
    expect(await page.title()).toBe('The pages are starting')
    expect(await page.locator('main').innerText()).toContain('Events and flags keep working.')

    signal('SIGCONT')
    await page.getByRole('heading', { name: 'Arrived' }).waitFor()
  })

  test('a program is told in its own form', async () => {
    const answer = await ask('/provoked/arrival')

    expect(answer.status).toBe(503)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(await answer.json()).toMatchObject({ status: 503, title: 'The pages are starting' })
  })

  test('everything else is answered as ever', async () => {
    const answers = await Promise.all(['/_tilth/health', '/_tilth/ready'].map((path) => ask(path)))

    expect(answers.map(({ status }) => status)).toEqual([200, 503])
  })
})

test('pages that are killed are started again, and a person who was reading is shown the page in the end', async () => {
  await site.pages.ready()
  const { page } = await aVisitor(browser, site.address)
  const { pid } = site.pages.health()

  signal('SIGKILL')
  await holdNextPages(pid)
  expect(site.pages.health().status).toBe('restarting')
  const answer = await page.goto('/provoked/arrival')
  expect(answer?.status()).toBe(503)
  expect(await page.title()).toBe('The pages are restarting')

  signal('SIGCONT')
  await page.getByRole('heading', { name: 'Arrived' }).waitFor()
  expect(site.pages.health()).toMatchObject({ status: 'ready', restarts: 1 })
  expect(site.pages.health().pid).not.toBe(pid)
})

test('pages that hang are noticed and started again, and no one waits for them longer than that takes', async () => {
  await site.pages.ready()
  const { pid } = site.pages.health()
  signal('SIGSTOP')

  const caught = ask('/provoked/arrival', { accept: 'text/html' })
  await holdNextPages(pid)
  expect(site.pages.health().status).toBe('restarting')
  const meanwhile = await ask('/provoked/arrival', { accept: 'text/html' })

  expect(await meanwhile.text()).toContain('<title>The pages are restarting</title>')
  expect((await caught).status).toBe(503)
  signal('SIGCONT')
  await expect.poll(() => site.pages.health().status).toBe('ready')
  expect((await ask('/provoked/arrival')).status).toBe(200)
})

test('an exception that no page can catch ends the process, is logged, and the pages come back', async () => {
  await site.pages.ready()

  await ask('/provoked/crash')
  await expect.poll(() => site.pages.health().restarts).toBe(1)
  await expect.poll(() => site.pages.health().status).toBe('ready')

  await expect
    .poll(() => site.logged)
    .toContainEqual(
      expect.objectContaining({
        level: 'fatal',
        process: 'pages',
        err: expect.objectContaining({ message: 'thrown where no page can catch it' }),
      }),
    )
  expect((await ask('/provoked/arrival')).status).toBe(200)
})

/** A page of which the end is written once it may. */
async function aStreamedPage(): Promise<{ answer: Response; letEnd: () => void }> {
  await site.pages.ready()
  const until = join(aFolder(), 'until')
  const answer = await ask(`/provoked/streamed?${new URLSearchParams({ until })}`)
  return { answer, letEnd: () => writeFileSync(until, '') }
}

test('a page is passed on while it is still being written', async () => {
  const { answer, letEnd } = await aStreamedPage()
  let read = ''
  const untilRead = async (words: string, chunks: ReadableStreamDefaultReader<string>) => {
    for (let isDone = false; !isDone && !read.includes(words);) {
      const { value = '', done } = await chunks.read()
      read += value
      isDone = done
    }
  }

  const chunks = present(answer.body).pipeThrough(new TextDecoderStream()).getReader()
  await untilRead('Waiting', chunks)
  expect(read).toContain('At once')
  expect(read).not.toContain('In the end')
  letEnd()
  await untilRead('In the end', chunks)
  expect(read).toContain('In the end')
})

test('an orderly stop lets a page that is being written finish', async () => {
  const { answer, letEnd } = await aStreamedPage()
  const signals = vi.spyOn(ChildProcess.prototype, 'kill')
  onTestFinished(() => signals.mockRestore())

  const stopped = site.pages.stop()
  letEnd()
  const [page] = await Promise.all([answer.text(), stopped])

  expect(page).toContain('In the end')
  // a process that does not end by itself is killed
  const [pages] = signals.mock.contexts as ChildProcess[] // whose method is spied on
  expect([pages?.exitCode, pages?.signalCode]).toEqual([0, null])
  expect(site.logged).not.toContainEqual(expect.objectContaining({ level: 'fatal' }))
  expect((await ask('/blog', { accept: 'text/html' })).status).toBe(503)
})

test('with two processes, pages of the site are rendered while the studio’s process hangs', async () => {
  const two = await aFront({ workers: 2 })
  onTestFinished(() => two.close())
  await two.pages.ready()
  const { pid = 0 } = two.pages.health()
  await expect.poll(() => two.logged.filter(({ msg }) => /is ready/.test(msg))).toHaveLength(2)
  process.kill(pid, 'SIGSTOP')
  onTestFinished(() => void (two.pages.health().pid === pid && process.kill(pid, 'SIGCONT')))

  const answers = await Promise.all(
    // the front page of a Tilth without an owner leads to set-up, which is a page of the studio
    ['/llms.txt', '/blog', '/robots.txt'].map((path) =>
      fetch(two.address + path, { headers: { accept: 'text/html' } }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
})
