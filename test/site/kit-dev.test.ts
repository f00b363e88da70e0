import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aFolder, run } from '../start/tilth'
import { ownedEnvironment, secretKey } from '../studio/owner'
import { save } from './save'
import { aVisitor, openBrowser } from './site-fixture'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

const often = { interval: 100 }

test('while a team is at work, browsers reload after each change, mistakes are shown, and editors know the flags', async () => {
  const site = aFolder()
  cpSync(join(import.meta.dirname, 'team-site'), site, { recursive: true })
  const tilth = run(['dev', site], { ...ownedEnvironment, PORT: '0', TILTH_DATA: aFolder() })
  const [, address = ''] = await tilth.waitForOutput(/^Tilth is ready at (\S+)/m)
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
  save(file, written.replace('Quiet</h1>', 'Loud</h1>'))
  await page.getByRole('heading', { name: 'Loud' }).waitFor()
  save(file, written.replace('<h1>Quiet</h1>', '<h1>Quiet'))
  await page
    .getByRole('alert')
    .getByText(/^pages\/quiet\.tsx:\d+:\d+: /)
    .first()
    .waitFor()
  save(file, written.replace('return (', "throw new Error('Not today')\n  return ("))
  await page.getByRole('alert').getByText('pages/quiet.tsx:3: Not today').waitFor()
  save(file, written)
  await page.getByRole('heading', { name: 'Quiet' }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})
