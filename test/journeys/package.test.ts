import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { aFolder, browserHeaders, runProgram, type TestEnvironment } from '../start/tilth'

const root = resolve(import.meta.dirname, '../..')

function inFolder(folder: string, command: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}:\n${stdout}\n${stderr}`)
}

/** Links each dependency of the published package to the one installed here, and no other: nothing is fetched. */
async function linkDependencies(folder: string, place: string): Promise<void> {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(place, 'package.json'), 'utf8'),
  )
  for (const name of Object.keys(dependencies)) {
    const path = join('node_modules', name)
    await mkdir(dirname(join(folder, path)), { recursive: true })
    symlinkSync(join(root, path), join(folder, path))
  }
}

/** Files that a team may have beside the site. It is built without packages for development. */
const teamFiles = {
  'components/Press.tsx': `'use client'\nexport default () => <button onClick={() => {}}>Press</button>`,
  'pages/hello.tsx': `import Press from '../components/Press'\nexport default () => <main><h1>Hello</h1><Press /></main>`,
  'pages/words.mdx': '---\ntitle: Words\n---\n\nSome words. <Press />',
}

/** Asks what an assistant asks that is started beside a package: its documentation comes with it. */
async function searchDocs(program: string, settings: TestEnvironment): Promise<string> {
  const assistant = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  onTestFinished(() => assistant.close())
  const env = { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', ...settings }
  const args = [program, 'mcp', '--project', 'packed']
  await assistant.connect(new StdioClientTransport({ command: process.execPath, args, env }))
  const search = { text: 'minimum visitors of an experiment' }
  return JSON.stringify(await assistant.callTool({ name: 'search_docs', arguments: search }))
}

test('the packed package runs in an empty folder without a build', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tilth-package-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  inFolder(root, 'npm', ['pack', '--pack-destination', folder])
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  const place = join(folder, 'node_modules', 'tilth')
  await mkdir(place, { recursive: true })
  inFolder(folder, 'tar', ['-xzf', tarball, '-C', place, '--strip-components=1'])
  await linkDependencies(folder, place)

  const site = aFolder()
  for (const [path, text] of Object.entries(teamFiles)) {
    await mkdir(dirname(join(site, path)), { recursive: true })
    writeFileSync(join(site, path), text)
  }
  const program = join(place, 'bin/tilth.js')
  const data = aFolder()
  const tilth = runProgram(process.execPath, [program, 'start'], {
    PORT: '0',
    TILTH_DATA: data,
    TILTH_SITE: site,
    TILTH_OWNER_EMAIL: 'ana@example.com',
    TILTH_OWNER_PASSWORD: 'lantern orchard violin',
  })
  const [, address = ''] = await tilth.waitForOutput(/^Tilth is ready at (\S+)/m)
  const page = await fetch(`${address}/studio/sign-in`, browserHeaders)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('Sign in')
  expect((await fetch(`${address}/static/array.js`)).status).toBe(200)
  const team = async (path: string) => await (await fetch(address + path, browserHeaders)).text()
  await expect.poll(() => team('/hello')).toMatch(/<h1>Hello<\/h1>.*<button[^>]*>Press<\/button>/)
  expect(await team('/words')).toMatch(/<button[^>]*>Press<\/button>/)
  const settings = { TILTH_DATA: data, PORT: new URL(address).port }
  const created = runProgram(process.execPath, [program, 'project', 'create', 'Packed'], settings)
  expect(await created.ended, created.err).toMatchObject({ code: 0 })
  expect(await searchDocs(program, settings)).toContain('docs/experiments.md#')
  expect(tilth.err).toBe('')
  expect(existsSync(join(place, 'src'))).toBe(false)
})
