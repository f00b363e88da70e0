import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aFolder, childOf, run } from '../start/tilth'
import { ownedEnvironment, secretKey } from '../studio/owner'
import { save } from './save'
import { aVisitor, openBrowser } from './site-fixture'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

const often = { interval: 100 }

/** A Tilth for the work on a copy of the team's site, its pid and that folder. */
async function aTilthInDev() {
  const site = aFolder()
  cpSync(join(import.meta.dirname, 'team-site'), site, { recursive: true })
  const tilth = run(['dev', site], { ...ownedEnvironment, PORT: '0', TILTH_DATA: aFolder() })
  const [, address = ''] = await tilth.waitForOutput(/^Tilth is ready at (\S+)/m)
  return { tilth, site, address }
}

test('while a team is at work, browsers reload after each change, mistakes are shown, and editors know the flags', async () => {
  const { tilth, site, address } = await aTilthInDev()
  const types = () => readFileSync(join(site, 'tilth-env.d.ts'), 'utf8')
  await expect.poll(types, often).toContain('interface ProjectFlags {\n\n  }')
  await fetch(`${address}/api/v1/projects/acme/flags`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ key: 'new-menu', kind: 'switch' }),
  })
  await expect.poll(types, often).toContain('"new-menu": boolean')

  const file = join(site, 'pages/quiet.tsx')
  const written = readFileSync(file, 'utf8')
  const page = await aVisitor(browser)
  await expect.poll(async () => (await fetch(`${address}/quiet`)).status, often).toBe(200)
  await page.goto(`${address}/quiet`)
  const builder = childOf(tilth.pid, 'site-kit-build')
  for (let edit = 0; edit < 10; edit++) {
    save(file, written.replace('Quiet</h1>', `Loud ${edit}</h1>`))
    await page.getByRole('heading', { name: `Loud ${edit}` }).waitFor()
  }
  expect(childOf(tilth.pid, 'site-kit-build')).toBe(builder)

  const overlay = page.getByRole('alertdialog', { name: /mistakes? in the site folder/ })
  save(file, written.replace('<h1>Quiet</h1>', '<h1>Quiet'))
  await overlay
    .getByText(/^pages\/quiet\.tsx:\d+:\d+$/)
    .first()
    .waitFor()
  save(file, written.replace('return (', "throw new Error('<b>Not today</b>')\n  return ("))
  await overlay.getByText('<b>Not today</b>', { exact: true }).waitFor()
  await overlay.getByText('pages/quiet.tsx:3', { exact: true }).waitFor()
  await overlay.getByRole('list').getByText('Quiet', { exact: true }).waitFor()
  await expect
    .poll(() => overlay.locator('mark').textContent())
    .toContain("3    throw new Error('<b>Not today</b>')")
  await page.keyboard.press('Escape')
  await overlay.waitFor({ state: 'hidden' })
  save(file, written)
  await page.getByRole('heading', { name: 'Quiet' }).waitFor()
  expect(await overlay.count()).toBe(0)
})

test('the classes of Tailwind stand above the styles of Tilth, and a save adds one', async () => {
  const { site, address } = await aTilthInDev()
  cpSync(
    join(import.meta.dirname, '../../node_modules/tailwindcss'),
    join(site, 'node_modules/tailwindcss'),
    {
      recursive: true,
    },
  )
  save(join(site, 'theme/app.css'), '@import "tailwindcss";\n@theme { --color-wheat: #123456; }')
  const styled = (classes: string) =>
    `export default () => <main id="content"><h1 className="${classes}">Hi</h1></main>`
  const file = join(site, 'pages/styled.tsx')
  save(file, styled('text-[41px] text-wheat md:underline dark:italic'))
  await expect.poll(async () => (await fetch(`${address}/styled`)).status, often).toBe(200)
  const page = await aVisitor(browser)
  await page.goto(`${address}/styled`)
  const styleOf = () =>
    page.getByRole('heading', { name: 'Hi' }).evaluate((heading) => {
      const { fontSize, color, textDecorationLine, fontStyle } = getComputedStyle(heading)
      return { fontSize, color, textDecorationLine, fontStyle }
    })
  const atFirst = {
    fontSize: '41px',
    color: 'rgb(18, 52, 86)',
    textDecorationLine: 'underline',
    fontStyle: 'normal',
  }
  expect(await styleOf()).toEqual(atFirst)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await styleOf()).toEqual({ ...atFirst, fontStyle: 'italic' })
  save(file, styled('text-[51px]'))
  await expect.poll(async () => (await styleOf().catch(() => undefined))?.fontSize, often).toBe('51px')
})

test('an exception in the browser is shown with its component and its line', async () => {
  const { site, address } = await aTilthInDev()
  const file = join(site, 'components/Price.tsx')
  const written = readFileSync(file, 'utf8')
  const page = await aVisitor(browser)
  await expect.poll(async () => (await fetch(`${address}/pricing`)).status, often).toBe(200)
  await page.goto(`${address}/pricing`)
  const thrown = "if (seats > 1) throw new Error('Too many seats')"
  save(file, written.replace('const add =', `${thrown}\n  const add =`))
  const line = written.slice(0, written.indexOf('const add =')).split('\n').length
  const alive = () =>
    page.evaluate(() => {
      const button = document.querySelector('tilth-island button')
      return button !== null && Object.keys(button).some((key) => key.startsWith('__react'))
    })
  const overlay = page.getByRole('alertdialog')
  await expect
    .poll(async () => {
      if (await alive()) await page.getByRole('button', { name: 'Add a seat' }).click()
      return await overlay.count()
    })
    .toBe(1)
  await overlay.getByText('Too many seats', { exact: true }).waitFor()
  await overlay.getByText(`components/Price.tsx:${line}`, { exact: true }).waitFor()
  await overlay.getByRole('list').getByText('Price', { exact: true }).waitFor()
  await expect.poll(() => overlay.locator('mark').textContent()).toContain(thrown)
  save(file, written)
  await overlay.waitFor({ state: 'detached' })
})
