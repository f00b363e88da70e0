import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Cookie } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { Product } from '#server/product'
import { buildOnce } from '../running/build-once'
import { aVisitor, openBrowser } from '../pages/browser'
import { aFolder, aTilth, type EndLater } from '../start/tilth'
import { owner, ownedEnvironment, signIn } from './owner'

const root = resolve(import.meta.dirname, '../..')
const cacheFolder = join(root, 'test-results/owned')
const folder = join(cacheFolder, 'data')
const contentsFile = join(cacheFolder, 'contents.json')

/** Beside the first project, so many of Ana's, each for one test. */
const furtherProjects = 40

export interface OwnedProject {
  slug: string
  writeKey: string
  secretKey: string
}

interface OwnedContents {
  /** Of a browser that Ana has signed in with. */
  cookies: Cookie[]
  projects: OwnedProject[]
}
const stamp = join(root, 'test-results/owned-by-ana')

/**
 * A data folder in which Ana has just signed in: a copy of one that is made once for every build. Signing in by hand
 * takes two pages, and most tests are about something else.
 */
export async function anOwnedFolder(endLater: EndLater): Promise<OwnedContents & { data: string }> {
  const build = readFileSync(join(root, 'dist/.made-of'), 'utf8')
  await buildOnce(stamp, `${build} with ${furtherProjects} projects`, buildOwnedFolder)

  const data = aFolder(endLater)
  // the engine links its folders to each other by relative paths, and may see nothing but its own
  cpSync(folder, data, { recursive: true, verbatimSymlinks: true })
  refreshPasswordTimes(data)
  return { data, ...(JSON.parse(readFileSync(contentsFile, 'utf8')) as OwnedContents) } // written below
}

async function buildOwnedFolder() {
  const browser = await openBrowser()
  onTestFinished(() => browser.close())
  rmSync(cacheFolder, { recursive: true, force: true })
  mkdirSync(cacheFolder, { recursive: true })
  const tilth = await aTilth({ ...ownedEnvironment, TILTH_DATA: folder })
  const { page } = await aVisitor(browser, tilth.address)
  await signIn(page, owner)
  const cookies = await page.context().cookies()
  tilth.kill('SIGTERM')
  await tilth.ended
  const sid = cookies.filter(({ name }) => name === 'sid')
  const contents: OwnedContents = { cookies: sid, projects: await createProjects(sid[0]?.value ?? '') }
  writeFileSync(contentsFile, JSON.stringify(contents))
}

/** As Ana does it, without a page for each. */
async function createProjects(token: string): Promise<OwnedProject[]> {
  // Ana becomes the owner of each project that she creates
  const anaOf = async (product: Product) => {
    const { sessions } = product.signIn
    const ana = await sessions.viewer(token, { address: '127.0.0.0/24', client: '', requestId: '' })
    if (!ana) throw new Error('Ana is not signed in.')
    return ana
  }
  // all of Tilth, which no other file of the tests in a browser needs
  const { openProduct } = await import('#server/product')
  const product = await openProduct({ store: { folder } })
  try {
    const projects: OwnedProject[] = []
    for (let number = 1; number <= furtherProjects; number++) {
      const input = { name: `Shop ${number}`, slug: `shop-${number}` }
      const outcome = await product.projects.create(input, await anaOf(product))
      if (!outcome.done) throw new Error(outcome.problems.map(({ message }) => message).join(' '))
      const { id, slug, writeKey } = outcome.project
      const secret = await product.projects.keys.create(
        id,
        { name: 'Tests', scopes: 'every' },
        await anaOf(product),
      )
      if (!secret.done) throw new Error(secret.problems.map(({ message }) => message).join(' '))
      projects.push({ slug, writeKey, secretKey: secret.text })
    }
    return projects
  } finally {
    await product.close()
  }
}

/** Pages that ask for a recent password must not find one that is as old as the build. */
function refreshPasswordTimes(data: string) {
  const store = new DatabaseSync(join(data, 'store.db'))
  const now = new Date().toISOString()
  store.prepare('update sessions set authenticated_at = ?').run(now)
  store.close()
}
