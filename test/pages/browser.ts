import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { patienceMs } from '../running/patience'
import { reportIfFailed } from './failed-page'

const quiet = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: quiet })

/**
 * A person with a browser of their own, and what that browser asked the server for. Whatever pages they see, none may
 * have tried anything that its own security policy forbids.
 */
export async function aVisitor(browser: Browser, address: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ baseURL: address, ...options })
  context.setDefaultTimeout(patienceMs)
  const page = await context.newPage()
  const requests: string[] = []
  const violations: string[] = []
  page.on('request', (request) => {
    // The icon comes whenever the browser likes, and 'other' is only that.
    if (request.resourceType() !== 'other') requests.push(describe(request))
  })
  await context.exposeFunction('reportViolation', (what: string) => violations.push(what))
  await context.addInitScript(watchPolicy)
  onTestFinished(async () => {
    await context.close()
    expect(violations).toEqual([])
  })
  // last, because what is to be done at the end is done in reverse order
  reportIfFailed(page)
  return { page, requests }
}

// Runs in the browser.
function watchPolicy() {
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    // Put there by exposeFunction.
    const { reportViolation } = window as unknown as { reportViolation: (what: string) => void }
    reportViolation(`${effectiveDirective} forbids ${blockedURI} on ${location.pathname}`)
  })
}

/** `document /a`, `payload /a`, `action /a`; anything else by its type. */
function describe(request: Request): string {
  const { pathname } = new URL(request.url())
  const headers = request.headers()
  if ('next-action' in headers) return `action ${pathname}`
  if ('rsc' in headers) return `payload ${pathname}`
  return `${request.resourceType()} ${pathname}`
}

/** React leaves its keys on an element once it has taken it over; a click before that does nothing. */
export const untilAlive = (page: Page, selector = 'a, button') =>
  page.waitForFunction(
    (found) => Object.keys(document.querySelector(found) ?? {}).some((key) => key.startsWith('__react')),
    selector,
  )

/** From now on the time of the page passes by `runFor` and `fastForward` only, however slow the machine is. */
export const holdClock = async (page: Page): Promise<void> =>
  page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)

/** Leaves something on the window that a new document would not have. */
export const markWindow = (page: Page) => page.evaluate(() => void Object.assign(window, { marked: true }))

/** Whether no document was loaded since the mark was left. */
export const isMarked = (page: Page) => page.evaluate(() => 'marked' in window)
