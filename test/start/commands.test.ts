import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { delimiter, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aFolder, aTilthForAll, type TestEnvironment, run } from './tilth'

const root = join(import.meta.dirname, '../..')

async function outputOf(args: readonly string[], environment: TestEnvironment = {}) {
  const attempt = run(args, environment)
  const { code } = await attempt.ended
  return { code, out: attempt.out, err: attempt.err }
}

test('what is built already is not built again', async () => {
  // a build writes last what it was made of
  const builtAt = () => statSync(join(root, 'dist/.made-of')).mtimeMs
  const before = builtAt()
  expect(await outputOf(['build'])).toEqual({ code: 0, out: 'Everything is built.\n', err: '' })
  expect(builtAt()).toBe(before)
})

test('the help names every command', async () => {
  const { code, out } = await outputOf(['--help'])
  expect(code).toBe(0)
  for (const command of ['start', 'doctor', 'build']) expect(out).toMatch(new RegExp(`^ {2}${command} `, 'm'))
})

const nodes = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'))
const isOld = (node: string) =>
  Number(/^v(\d+)/.exec(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout)?.[1]) < 22
const oldNode = nodes.find((node) => existsSync(node) && isOld(node))

// .ci/run begins with such a one
test.skipIf(!oldNode)('a Node that is too old to run Tilth reads enough of it to fetch another', () => {
  const ask = () => spawnSync(oldNode ?? '', ['bin/tilth.js', '--version'], { cwd: root, encoding: 'utf8' })
  // the first may have to fetch it, and says so
  expect(ask().status).toBe(0)
  const asked = ask()
  expect({ status: asked.status, err: asked.stderr }).toEqual({ status: 0, err: '' })
  expect(asked.stdout).toMatch(/^\d+\.\d+\.\d+$/m)
})

test('a command that does not exist is answered with the one that was meant', async () => {
  const { code, err } = await outputOf(['dctor'])
  expect(code).not.toBe(0)
  expect(err).toContain('Did you mean doctor?')
})

/** The doctor looks, and changes nothing. */
const aRunningTilth = aTilthForAll()

describe('the doctor', () => {
  /** The port of a program that is no Tilth. */
  async function somebodyElse(): Promise<number> {
    const server = createServer((_request, response) => response.end('somebody else')).listen(0)
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const address = server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  interface Diagnosis {
    ok: boolean
    checks: { name: string; verdict: string; found: string; remedy?: string }[]
  }

  async function diagnosis(environment: TestEnvironment): Promise<Diagnosis & { code: number | null }> {
    const { code, out, err } = await outputOf(['doctor', '--json'], environment)
    expect(err).toBe('')
    const answer: Diagnosis = JSON.parse(out)
    return { ...answer, code }
  }

  const wrongIn = ({ checks }: Diagnosis) =>
    checks.filter(({ verdict }) => verdict === 'wrong').map(({ name }) => name)

  test('finds nothing where nothing is wrong, whether Tilth runs or not', async () => {
    expect(await diagnosis({ PORT: '0', TILTH_DATA: aFolder() })).toMatchObject({ ok: true, code: 0 })
    const { folder, port } = await aRunningTilth()
    expect(await diagnosis({ PORT: String(port), TILTH_DATA: folder })).toMatchObject({ ok: true, code: 0 })
  })

  test.each<[check: string, wrong: () => TestEnvironment | Promise<TestEnvironment>]>([
    ['settings', () => ({ TILTH_MEMORY: 'lots' })],
    ['packages', () => ({ CHDB_LIBCHDB_PATH: '/nowhere/libchdb.so' })],
    ['memory', () => ({ TILTH_MEMORY: '900t' })],
    [
      'folder',
      () => {
        const folder = aFolder()
        mkdirSync(folder, { mode: 0o755 })
        return { TILTH_DATA: folder }
      },
    ],
    [
      'store',
      () => {
        const folder = aFolder()
        mkdirSync(folder, { mode: 0o700 })
        writeFileSync(join(folder, 'store.db'), 'no database')
        return { TILTH_DATA: folder }
      },
    ],
    ['store', () => ({ TILTH_STORE: 'postgres://nobody:nothing@127.0.0.1:9/tilth' })],
    ['port', async () => ({ PORT: String((await aRunningTilth()).port) })],
    ['port', async () => ({ PORT: String(await somebodyElse()) })],
    [
      'port',
      async () => {
        const { folder } = await aRunningTilth()
        return { TILTH_DATA: folder, PORT: '1' }
      },
    ],
    [
      'address',
      async () => {
        const { folder, port } = await aRunningTilth()
        return { TILTH_DATA: folder, PORT: String(port), TILTH_URL: 'http://127.0.0.1:9' }
      },
    ],
  ])('finds what is wrong with %s, and says how to fix it', async (check, wrong) => {
    const found = await diagnosis({ PORT: '0', TILTH_DATA: aFolder(), ...(await wrong()) })
    expect(found).toMatchObject({ ok: false, code: 1 })
    expect(wrongIn(found)).toContain(check)
    expect(found.checks.find(({ name }) => name === check)?.remedy).toMatch(/^[A-Z].{10,}/)
  })

  test('speaks in lines to people', async () => {
    const { code, out } = await outputOf(['doctor'], {
      PORT: '0',
      TILTH_DATA: aFolder(),
      TILTH_MEMORY: '900t',
    })
    expect(code).toBe(1)
    expect(out).toMatch(/^✓ node {2,}Node \d+/m)
    expect(out).toMatch(/^✗ memory .*\n +→ Set TILTH_MEMORY to less than/m)
  })
})
