import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { aFolder, aTilth, aTilthForAll, run } from '../start/tilth'
import { ownedEnvironment, secretKey, signIn } from '../studio/owner'
import { aPerson, askApi, visit } from '../studio/studio'
import { save } from './save'
import { aVisitor, islandsAreKnown, openBrowser } from './site-fixture'
import { aStaticHost, publishTo } from './static-host'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

const root = resolve(import.meta.dirname, '../..')
const often = { interval: 100 }

/** A Tilth that teams install their packages from. */
const theirTilth = aTilthForAll(ownedEnvironment)

async function tilth(args: readonly string[], environment = {}) {
  const attempt = run(args, environment)
  const { code } = await attempt.ended
  return { code, out: attempt.out, err: attempt.err }
}

const npmInstall = (folder: string): Promise<unknown> =>
  promisify(execFile)(
    'npm',
    ['install', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder],
    { cwd: folder },
  )

/** Links packages of the tests, which an app would fetch from npm. */
function link(folder: string, packages: readonly string[]): void {
  for (const name of packages) {
    mkdirSync(join(folder, 'node_modules', name, '..'), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
}

/** Returns what the compiler says against the folder. */
async function compile(folder: string): Promise<string> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  return await promisify(execFile)(process.execPath, [tsc, '-p', folder]).then(
    () => '',
    (problem: { stdout: string }) => problem.stdout,
  )
}

function keepOnly(folder: string, name: string): void {
  const path = join(folder, 'package.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as { devDependencies: Record<string, string> }
  const devDependencies = { [name]: manifest.devDependencies[name] }
  writeFileSync(path, JSON.stringify({ ...manifest, devDependencies }))
}

test('a team begins with a new folder, whose types come from its Tilth, and sees its pages', async () => {
  const { address } = await theirTilth()
  const site = aFolder()
  const made = await tilth(['site', 'new', site, '--from', address])
  expect(made).toMatchObject({ code: 0, err: '' })
  expect(made.out).toContain('pages/pricing.tsx')
  keepOnly(site, '@tilth/site')
  await npmInstall(site)
  link(site, ['@types/react', 'csstype'])
  expect(await compile(site)).toBe('')

  // in CI, keys are checked against the project
  await fetch(`${address}/api/v1/projects/acme/flags`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ key: 'new-menu', kind: 'switch' }),
  })
  const types = await tilth(['types', site, '--from', address], { TILTH_SECRET_KEY: secretKey })
  expect(types).toMatchObject({ code: 0, err: '' })
  expect(await compile(site)).toContain(`Type '"pricing"' is not assignable to type '"new-menu"'`)

  const dev = run(['dev', site], { ...ownedEnvironment, PORT: '0', TILTH_DATA: aFolder() })
  const [, home = ''] = await dev.waitForOutput(/^Tilth is ready at (\S+)/m)
  const page = await aVisitor(browser)
  await expect.poll(async () => (await fetch(`${home}/pricing`)).status, often).toBe(200)
  await page.goto(`${home}/pricing`)
  await islandsAreKnown(page)
  await page.getByRole('button', { name: 'Add a seat' }).click()
  await page.getByText('18 for 2').waitFor()
  await page.goto(`${home}/about`)
  await page.getByText('9 for 1').waitFor()
  const pricing = join(site, 'pages/pricing.tsx')
  await page.goto(`${home}/pricing`)
  save(pricing, readFileSync(pricing, 'utf8').replace('Paid by the month.', 'Paid monthly.'))
  await page.getByText('Paid monthly.').waitFor()
})

/** Is rendered by its third try: a page whose source is not ready at first. */
const waking = `let tries = 0
export const metadata = { title: 'Waking', isHidden: true }
export default function Waking() {
  tries += 1
  if (tries < 3) throw new Error('not yet')
  return <main id="content">{'Ready at try ' + tries}</main>
}
`
const broken = waking.replaceAll('Waking', 'Broken').replace('tries < 3', 'tries > 0')
const post = {
  kind: 'post',
  title: 'Our prices',
  slug: 'our-prices',
  body: '[Prices](/pricing), [later](/waking), [never](/broken).',
}

test('a team comes from a new folder to a copy on another server, whose visitor arrives in the studio', async () => {
  const site = aFolder()
  mkdirSync(site)
  const tilthOfTeam = await aTilth({ ...ownedEnvironment, TILTH_SITE: site })
  const { address } = tilthOfTeam
  expect(await tilth(['site', 'new', site, '--from', address])).toMatchObject({ code: 0, err: '' })
  keepOnly(site, '@tilth/site')
  await npmInstall(site)
  const read = async (path: string) => await (await fetch(address + path)).text()
  await expect.poll(() => read('/pricing'), often).toContain('Paid by the month.')

  const pricing = join(site, 'pages/pricing.tsx')
  for (const word of ['monthly', 'each month']) {
    save(pricing, readFileSync(pricing, 'utf8').replace(/Paid (?:by the month|monthly)\./, `Paid ${word}.`))
    await expect.poll(() => read('/pricing'), often).toContain(`Paid ${word}.`)
  }
  const page = await aVisitor(browser)
  await page.goto(`${address}/pricing`)
  await islandsAreKnown(page)
  await page.getByRole('button', { name: 'Add a seat' }).click()
  await page.getByText('18 for 2').waitFor()

  save(join(site, 'pages/waking.tsx'), waking)
  save(join(site, 'pages/broken.tsx'), broken)
  const ask = async (path: string, body: object) =>
    await askApi<{ id: string }>(tilthOfTeam, 'POST', `/projects/acme${path}`, body)
  const { id } = await ask('/posts', post)
  await ask(`/posts/${id}/publish`, {})
  await expect.poll(() => read('/blog/our-prices'), often).toContain('/waking')
  await expect.poll(async () => (await fetch(`${address}/broken`)).status, often).toBe(500)
  const experiment = await startExperiment(ask)

  const host = await aStaticHost(onTestFinished)
  const report = await publishTo(host, tilthOfTeam)
  expect(report).toMatchObject({ code: 1, deadLinks: [], failed: [{ path: '/broken' }] })
  expect(existsSync(join(host.folder, 'broken/index.html'))).toBe(false)
  expect(readFileSync(join(host.folder, 'waking/index.html'), 'utf8')).toContain('Ready at try 3')

  const reader = await aVisitor(browser, { userAgent: agent })
  await reader.goto(`${host.address}/blog/our-prices/`)
  await reader.getByRole('link', { name: 'Prices', exact: true }).click()
  await reader.getByText('Paid by the year.').waitFor()
  const button = reader.getByRole('button', { name: 'Add a seat' })
  await expect
    .poll(async () => {
      await button.click()
      return await reader.locator('main').textContent()
    }, often)
    .toMatch(/ for (?:[2-9]|\d\d)/)

  const owner = await aPerson({ browser, address })
  await signIn(owner)
  await expect
    .poll(async () => {
      await visit(owner, '/studio/acme/web?compare=none')
      return await owner
        .getByRole('link', { name: /^Visitors/ })
        .first()
        .textContent()
    }, often)
    .toMatch(/^Visitors\D*1\b/)
  await expect
    .poll(async () => {
      await visit(owner, `/studio/acme/experiments/${experiment}/exposures`)
      return await owner.getByRole('row', { name: /^yearly 1 100%/ }).count()
    }, often)
    .toBe(1)
})

/** Nearly every visitor gets `yearly`. Returns the id of the experiment. */
async function startExperiment(
  ask: (path: string, body: object) => Promise<{ id: string }>,
): Promise<string> {
  await ask('/flags', {
    key: 'pricing',
    kind: 'variants',
    variants: [
      { key: 'control', percentage: 0.01 },
      { key: 'yearly', percentage: 99.99 },
    ],
    environments: { production: { isOn: true, conditions: [{}] } },
  })
  const metrics = [{ name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }]
  const { id } = await ask('/experiments', { name: 'Yearly prices', flag: 'pricing', metrics })
  await ask(`/experiments/${id}/start`, {})
  return id
}

const agent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

test('apps install the packages of React and Next from their Tilth', async () => {
  const { address } = await theirTilth()
  const app = aFolder()
  mkdirSync(app)
  const dependencies = {
    '@tilth/next': `${address}/_tilth/packages/next.tgz`,
    '@tilth/react': `${address}/_tilth/packages/react-0.1.0.tgz`,
  }
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', private: true, dependencies }))
  await npmInstall(app)
  link(app, ['react', 'react-dom', 'next', '@types/react', '@types/node', 'csstype'])
  writeFileSync(
    join(app, 'home.tsx'),
    `import { Tilth, getFlag } from '@tilth/next/server'
import { useFlag } from '@tilth/react'
export const Layout = () => <Tilth><p /></Tilth>
export const headline: Promise<boolean | string> = getFlag('headline')
export const useHeadline: () => boolean | string = () => useFlag('headline')
`,
  )
  const settings = { extends: join(root, 'packages/tsconfig.app.json'), files: ['home.tsx'] }
  writeFileSync(join(app, 'tsconfig.json'), JSON.stringify(settings))
  expect(await compile(app)).toBe('')
  const missing = await fetch(`${address}/_tilth/packages/vue.tgz`)
  expect([missing.status, await missing.json()]).toEqual([
    404,
    { error: 'Unknown package. This Tilth has next.tgz, react.tgz, site.tgz.' },
  ])
})

test.each([
  ['no key', {}, 'Set TILTH_SECRET_KEY to a secret key: Settings → Keys.\n'],
  ['a wrong key', { TILTH_SECRET_KEY: 'wrong' }, /^http:\/\/localhost:\d+: .*key/],
])('types are not written with %s', async (_name, environment, problem) => {
  const { address } = await theirTilth()
  const site = aFolder()
  mkdirSync(site)
  const { code, err } = await tilth(['types', site, '--from', address], environment)
  expect(code).toBe(1)
  expect(err).toMatch(problem)
})
