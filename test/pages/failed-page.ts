import type { Page, Request } from 'playwright-core'
import { onTestFinished } from 'vitest'

const shownCharacters = 1500

/** Says where a page stood when its test failed: a wait that ends in vain names only the element that never came. */
export function reportIfFailed(page: Page): void {
  const unfinished = new Set<Request>()
  const messages: string[] = []
  page.on('request', (request) => unfinished.add(request))
  page.on('requestfinished', (request) => unfinished.delete(request))
  page.on('requestfailed', (request) => {
    unfinished.delete(request)
    messages.push(`${request.url()} failed: ${request.failure()?.errorText ?? 'no reason given'}`)
  })
  page.on('console', (message) => messages.push(message.text()))
  onTestFinished(async ({ task }) => {
    if (task.result?.state !== 'fail') return
    const shown = page.isClosed() ? '' : await page.innerText('body', { timeout: 5000 }).catch(String)
    console.error(
      [
        `${task.name} failed on ${page.url()}, which showed:`,
        shown.slice(0, shownCharacters),
        'Unfinished requests:',
        ...Array.from(unfinished, (request) => request.url()),
        'The last messages:',
        ...messages.slice(-20),
      ].join('\n'),
    )
  })
}
