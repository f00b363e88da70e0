import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Browser, Cookie } from 'playwright-core'
import { buildOnce } from '../build-once'
import { aVisitor } from '../pages/browser'
import { aFolder, aTilth, type EndLater } from '../start/tilth'
import { owner, ownedEnvironment, signIn } from './owner'

const root = resolve(import.meta.dirname, '../..')
const cacheFolder = join(root, 'test-results/owned')
const folder = join(cacheFolder, 'data')
const cookiesFile = join(cacheFolder, 'cookies.json')
const stamp = join(root, 'test-results/owned-by-ana')

/**
 * A data folder in which Ana has just signed in: a copy of one that is made once for every build. Signing in by hand
 * takes two pages, and most tests are about something else.
 */
export async function anOwnedFolder(
  browser: Browser,
  endLater: EndLater,
): Promise<{ data: string; cookies: Cookie[] }> {
  const build = readFileSync(join(root, 'dist/.made-of'), 'utf8')
  await buildOnce(stamp, build, () => buildOwnedFolder(browser))

  const data = aFolder(endLater)
  // the engine links its folders to each other by relative paths, and may see nothing but its own
  cpSync(folder, data, { recursive: true, verbatimSymlinks: true })
  refreshPasswordTimes(data)
  return { data, cookies: JSON.parse(readFileSync(cookiesFile, 'utf8')) as Cookie[] } // written below
}

async function buildOwnedFolder(browser: Browser) {
  rmSync(cacheFolder, { recursive: true, force: true })
  mkdirSync(cacheFolder, { recursive: true })
  const tilth = await aTilth({ ...ownedEnvironment, TILTH_DATA: folder })
  const { page } = await aVisitor(browser, tilth.address)
  await signIn(page, owner)
  const cookies = await page.context().cookies()
  tilth.kill('SIGTERM')
  await tilth.ended
  writeFileSync(cookiesFile, JSON.stringify(cookies.filter(({ name }) => name === 'sid')))
}

/** What asks for a recent password must not find one that is as old as the build. */
function refreshPasswordTimes(data: string) {
  const store = new DatabaseSync(join(data, 'store.db'))
  const now = new Date().toISOString()
  store.prepare('update sessions set authenticated_at = ?').run(now)
  store.close()
}
