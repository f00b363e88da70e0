import type { Page } from 'playwright-core'

/** As far as lib.dom does not know it yet. */
interface TaskScheduler {
  postTask: (work: () => void, options: { priority: 'background' }) => Promise<void>
}

/**
 * Ticks, chooses and presses are only heard once React has taken the page over, all that has come of it, and keys once
 * its effects have run: both are done before the browser has time for what may wait.
 */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isAlive = (element: Element) => Object.keys(element).some((key) => key.startsWith('__react'))
    const own = [...document.querySelectorAll('main button, main a, form')]
    return own.length > 0 ? own.every(isAlive) : [...document.querySelectorAll('a')].some(isAlive)
  })
  await untilIdle(page)
}

/** Waits until the page has done all it could do at once: tasks of the background come after all others. */
export const untilIdle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    // every Chromium has it
    const { scheduler } = window as unknown as { scheduler: TaskScheduler }
    await scheduler.postTask(() => {}, { priority: 'background' })
  })

export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await waitForHydration(page)
}

export async function reload(page: Page): Promise<void> {
  await page.reload()
  await waitForHydration(page)
}
