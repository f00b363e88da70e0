import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { endAfterFile } from '../running/end-after-file'
import { patienceMs } from '../running/patience'
import { aFolder, aTilth, type RunningTestTilth } from '../start/tilth'
import { ownedEnvironment } from '../studio/owner'
import { save } from './save'
import { aVisitor, openBrowser } from './site-fixture'

/** A team's site with a collection: a page that lists it, and a page for each entry. */
let browser: Browser
let tilth: RunningTestTilth
let site: string
const endLater = endAfterFile()

const files = {
  'content/jobs/schema.ts': `import { z } from 'zod'
export default z.object({ title: z.string(), from: z.coerce.date() })`,
  'content/jobs/cook.md': '---\ntitle: A cook\nfrom: 2027-01-01\n---\n\nYou **cook** for twenty people.\n',
  'content/jobs/baker.json': '{ "title": "A baker", "from": "2027-02-01" }',
  'pages/jobs/index.tsx': `import { collection } from '@tilth/site'
import team from './team.png?image'
export const metadata = { title: 'Jobs', description: 'Work with us.', languages: { en: '/jobs', de: '/stellen' } }
export default async function Jobs() {
  const jobs = await collection('jobs')
  return <main id="content"><h1>Jobs</h1><img {...team} alt="The team" sizes="50vw" /><ul>{jobs.map(({ slug, data }) => <li key={slug}>
    <a href={'/jobs/' + slug}>{data.title}</a></li>)}</ul></main>
}`,
  'pages/jobs/[slug].tsx': `import { collection, entry } from '@tilth/site'
export const generateStaticParams = async () => (await collection('jobs')).map(({ slug }) => ({ slug }))
export const metadata = async ({ params }) => ({ title: (await entry('jobs', params.slug))?.data.title })
export default async function Job({ params }) {
  const job = await entry('jobs', params.slug)
  return <main id="content"><h1>{job.data.title}</h1><p>From {job.data.from.getUTCFullYear()}</p><job.Content /></main>
}`,
  'pages/stellen.tsx': `export const metadata = { title: 'Stellen', languages: { en: '/jobs', de: '/stellen' } }
export default () => <main id="content" lang="de"><h1>Stellen</h1></main>`,
  'pages/drafts.tsx': `export const metadata = { title: 'Drafts', isHidden: true }
export default () => <main id="content"><h1>Drafts of cooks</h1></main>`,
}

beforeAll(async () => {
  site = aFolder(endLater)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(site, path)), { recursive: true })
    writeFileSync(join(site, path), text)
  }
  await sharp({ create: { width: 600, height: 300, channels: 3, background: '#a33' } })
    .png()
    .toFile(join(site, 'pages/jobs/team.png'))
  const [opened, started] = await Promise.all([
    openBrowser(),
    aTilth({ ...ownedEnvironment, TILTH_SITE: site }, endLater),
  ])
  browser = opened
  tilth = started
  await vi.waitFor(async () => expect((await fetch(`${tilth.address}/jobs`)).status).toBe(200), often)
})
afterAll(() => browser?.close())

const often = { timeout: patienceMs, interval: 200 }
const read = async (path: string): Promise<string> => await (await fetch(tilth.address + path)).text()

/** The entry of an address in the sitemap; '' if it has none. */
const listedAt = async (path: string): Promise<string> =>
  (await read('/sitemap.xml')).split('<url>').find((one) => one.includes(`${path}</loc>`)) ?? ''

test('a page lists a collection, and each entry has a page with its Markdown', async () => {
  const page = await aVisitor(browser)
  await page.goto(`${tilth.address}/jobs`)
  expect(await page.getByRole('listitem').filter({ hasText: 'A ' }).allTextContents()).toEqual([
    'A baker',
    'A cook',
  ])
  const team = page.getByRole('img', { name: 'The team' })
  expect([await team.getAttribute('width'), await team.getAttribute('height')]).toEqual(['600', '300'])
  await expect
    .poll(() => team.evaluate((shown: HTMLImageElement) => shown.complete && shown.currentSrc), often)
    .toMatch(/\/_tilth\/site\/.*\.(?:png|webp)$/)
  await page.getByRole('link', { name: 'A cook' }).click()
  await page.getByRole('heading', { name: 'A cook' }).waitFor()
  await page.getByText('From 2027').waitFor()
  expect(await page.locator('.prose strong').textContent()).toBe('cook')
})

test('pages are in the sitemap at their addresses, with their languages and their last change', async () => {
  await expect.poll(() => listedAt('/jobs/cook'), often).toMatch(/<lastmod>\d{4}-/)
  expect(await listedAt('/jobs/baker')).not.toBe('')
  const languages = Array.from((await listedAt('/jobs')).matchAll(/hreflang="([\w-]+)"/g), ([, one]) => one)
  expect(languages).toEqual(['en', 'de', 'x-default'])
  expect(await read('/stellen')).toMatch(/<link rel="alternate" hrefLang="en" href="[^"]*\/jobs"/i)
  expect(await listedAt('/drafts')).toBe('')
  const llms = await read('/llms.txt')
  expect(llms).toMatch(/^- \[Jobs\]\(\S+\/jobs\): Work with us\.$/m)
  expect(llms).toMatch(/^- \[A cook\]\(\S+\/jobs\/cook\)$/m)
})

test('a page, its header and its footer are in the language of its address', async () => {
  const page = await aVisitor(browser)
  for (const [path, language, skip] of [
    ['/jobs', 'en', 'Skip to the content'],
    ['/stellen', 'de', 'Zum Inhalt springen'],
  ] as const) {
    await page.goto(tilth.address + path)
    expect(await page.getAttribute('html', 'lang')).toBe(language)
    await page.getByRole('link', { name: skip }).waitFor({ state: 'attached' })
    // no post is in German
    expect(await page.locator('.site-footer a[href$=xml]').getAttribute('href')).toBe('/blog/rss.xml')
  }
})

test('pages are found by what they say', async () => {
  const page = await aVisitor(browser)
  const find = async (words: string) => {
    await page.goto(`${tilth.address}/blog/search?q=${words}`)
    return await page.locator('.entry-title').allTextContents()
  }
  expect(await find('twenty')).toEqual(['A cook'])
  await page.getByRole('link', { name: 'A cook' }).click()
  await page.waitForURL('**/jobs/cook')
  expect(await find('drafts')).toEqual([])
})

test('an entry that is saved is shown everywhere, and one with a mistake changes nothing', async () => {
  const file = join(site, 'content/jobs/cook.md')
  const written = readFileSync(file, 'utf8')
  const before = await listedAt('/jobs/cook')
  for (const title of ['A chef', 'A head chef']) {
    save(file, written.replace('A cook', title))
    await expect.poll(() => read('/jobs'), often).toContain(`>${title}<`)
    expect(await read('/jobs/cook')).toContain(`<h1>${title}</h1>`)
    await expect.poll(() => read('/llms.txt'), often).toContain(`[${title}]`)
  }
  expect(await listedAt('/jobs/cook')).not.toBe(before)

  save(file, written.replace('2027-01-01', 'soon'))
  await tilth.waitForOutput(/from: .*content\/jobs\/cook\.md|content\/jobs\/cook\.md.*from: /)
  expect(await read('/jobs/cook')).toContain('<h1>A head chef</h1>')

  save(join(site, 'content/jobs/waiter.md'), '---\ntitle: A waiter\nfrom: 2027-03-01\n---\n')
  save(file, written)
  await expect.poll(() => read('/jobs'), often).toContain('>A waiter<')
  await expect.poll(() => listedAt('/jobs/waiter'), often).not.toBe('')
})
