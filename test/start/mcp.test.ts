import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, onTestFinished, test, vi } from 'vitest'
import { patienceMs } from '../running/patience'
import { aTilthForAll, run, type TestEnvironment } from './tilth'

const root = resolve(import.meta.dirname, '../..')
const program = join(root, 'bin/tilth.js')
const running = aTilthForAll()
const client = { name: 'test', version: '1' }

/** A Tilth that runs with a project, and the settings for commands beside it. */
async function anInstallation() {
  const { folder, port } = await running()
  const settings: TestEnvironment = { TILTH_DATA: folder, PORT: String(port) }
  const list = JSON.parse(await outputOf(['project', 'list', '--json'], settings)) as { slug: string }[]
  if (!list.some(({ slug }) => slug === 'acme')) await outputOf(['project', 'create', 'Acme'], settings)
  const keys = async () =>
    (JSON.parse(await outputOf(['key', 'list', 'acme', '--json'], settings)) as Key[]).filter(
      ({ name }) => name === 'tilth mcp',
    )
  return { settings, keys, command: stdioCommand(settings) }
}

interface Key {
  name: string
  revokedAt?: string
}

const stdioCommand = (settings: TestEnvironment) => ({
  command: process.execPath,
  args: [program, 'mcp', '--project', 'acme'],
  env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production' as const, ...settings },
})

async function outputOf(args: readonly string[], settings: TestEnvironment): Promise<string> {
  const attempt = run(args, settings)
  const { code } = await attempt.ended
  expect(code, attempt.err).toBe(0)
  return attempt.out
}

const clients = {
  '2026-07-28': async (command: ReturnType<typeof stdioCommand>) => {
    const one = new Client(client, { versionNegotiation: { mode: 'auto' } })
    await one.connect(new StdioClientTransport(command))
    return one
  },
  2025: async (command: ReturnType<typeof stdioCommand>) => {
    const one = new EarlierClient(client)
    await one.connect(new EarlierTransport(command))
    return one
  },
}

test.each(Object.keys(clients) as (keyof typeof clients)[])(
  'a client of %s that starts `tilth mcp` reads a project, and no key of it works when it has left',
  async (revision) => {
    const { command, keys } = await anInstallation()
    const before = await keys()
    const one = await clients[revision](command)
    onTestFinished(() => one.close())
    expect((await one.listTools()).tools.map(({ name }) => name)).toContain('web_overview')
    const answers = await Promise.all([
      one.callTool({ name: 'get_project', arguments: {} }),
      one.callTool({ name: 'web_overview', arguments: { period: '7d' } }),
    ])
    expect(JSON.stringify(answers[0])).toContain('Acme')
    expect(JSON.stringify(answers[1])).toContain('0 visitors, last 7 days')
    const working = async () => (await keys()).filter(({ revokedAt }) => !revokedAt)
    // the later client tries the command in a process of its own first
    await vi.waitUntil(async () => (await working()).length === 1, { timeout: patienceMs })
    await one.close()
    await vi.waitUntil(async () => (await working()).length === 0, { timeout: patienceMs })
    expect((await keys()).length).toBeGreaterThan(before.length)
  },
)

test('the command line of the inspector lists the tools and calls one', async () => {
  const { settings, command } = await anInstallation()
  const inspector = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/inspector/clients/launcher/build/index.js',
  )
  const inspect = (...args: string[]) => {
    const given = Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`])
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [inspector, '--cli', ...given, command.command, program, 'mcp', ...args],
      { encoding: 'utf8', env: { ...command.env, HOME: settings['TILTH_DATA'] } },
    )
    return stdout + stderr
  }
  expect(inspect('--method', 'tools/list')).toContain('"name": "web_overview"')
  expect(inspect('--method', 'tools/call', '--tool-name', 'get_project')).toContain('Acme')
})

test('answers what a pipe has sent, and revokes the key after SIGTERM too', async () => {
  const { settings, keys } = await anInstallation()
  const child = spawn(process.execPath, [program, 'mcp'], { env: stdioCommand(settings).env })
  onTestFinished(() => void child.kill('SIGKILL'))
  let out = ''
  child.stdout.on('data', (text) => (out += String(text)))
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`)
  await vi.waitUntil(() => out.includes('web_overview'), { timeout: patienceMs })
  child.kill('SIGTERM')
  const [code] = await once(child, 'close')
  expect(code).toBe(0)
  expect((await keys()).every(({ revokedAt }) => revokedAt)).toBe(true)
})

test('says where it looked for a Tilth that does not run', async () => {
  const { settings } = await anInstallation()
  const attempt = run(['mcp'], { ...settings, PORT: '9' })
  expect(await attempt.ended).toMatchObject({ code: 1 })
  expect(attempt.err).toContain('No Tilth answers at http://localhost:9')
  expect(attempt.out).toBe('')
})
