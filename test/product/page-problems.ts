import type { Page } from 'playwright-core'

/**
 * Collects exceptions of a page and errors in its console. Not the refusal of an event: a busy machine refuses some for
 * a moment, and the script sends them again, which the counts of a test show.
 */
export function watchProblems(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', (problem) => problems.push(String(problem)))
  page.on('console', (message) => {
    const { url } = message.location()
    const isRefusal = message.text().includes('status of 503') && url.endsWith('/_tilth/event')
    if (message.type() === 'error' && !isRefusal) problems.push(`${message.text()} ${url}`)
  })
  return problems
}
