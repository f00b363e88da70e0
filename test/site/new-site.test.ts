import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aFolder, aTilthForAll, run } from '../start/tilth'
import { ownedEnvironment, secretKey } from '../studio/owner'
import { save } from './save'
import { aVisitor, islandsAreKnown, openBrowser } from './site-fixture'

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
