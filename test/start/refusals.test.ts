import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aFolder, aTilth, type TestEnvironment, snapshotFolder, run } from './tilth'

const nobody = 65_534

/** Starts, and gives back the sentence it refused with. */
async function refusal(environment: TestEnvironment, as: { uid?: number } = {}): Promise<string> {
  const attempt = run(['start'], { PORT: '0', ...environment }, as)
  const { code } = await attempt.ended
  expect(code, attempt.out + attempt.err).toBe(1)
  const [, sentence = ''] = /^Tilth does not start\. (.*)\n$/s.exec(attempt.err) ?? []
  return sentence
}

/** A folder that a Tilth has used and left in order. */
async function aUsedFolder(): Promise<string> {
  const tilth = await aTilth()
  tilth.kill('SIGTERM')
  await tilth.ended
  return tilth.folder
}

describe('a wrong setting', () => {
  test.each<[environment: TestEnvironment, says: RegExp]>([
    [{ PORT: 'abc' }, /^PORT is "abc" but must be a whole number from 0 to 65535\.$/],
    [{ TILTH_MEMORY: 'lots' }, /^TILTH_MEMORY is "lots" but must be an amount/],
    [{ TILTH_URL: 'tilth.example.com' }, /^TILTH_URL is .* such as https:\/\/tilth\.example\.com/],
    [{ TILTH_ENGINE: 'nowhere' }, /^TILTH_ENGINE must look like https:/],
    [{ TILTH_DATUM: 'x' }, /^TILTH_DATUM is not a setting. Did you mean TILTH_DATA\?/],
    [{ TILTH_OWNER_EMAIL: 'ana@example.com' }, /^TILTH_OWNER_EMAIL is set but TILTH_OWNER_PASSWORD is not/],
    [
      { TILTH_OWNER_EMAIL: 'ana@example.com', TILTH_OWNER_PASSWORD: 'ana@example.com1' },
      /^TILTH_OWNER_PASSWORD is not accepted\. /,
    ],
  ])('%o is refused', async (environment, says) => {
    const folder = aFolder()
    expect(await refusal({ TILTH_DATA: folder, ...environment })).toMatch(says)
    expect(existsSync(folder)).toBe(false)
  })

  test('all that are wrong are told at once', async () => {
    const sentences = await refusal({ TILTH_DATA: aFolder(), PORT: 'x', TILTH_LOG: 'x', TILTH_DISK: 'x' })
    expect(sentences.split('\n')).toHaveLength(3)
  })
})

describe('a folder that cannot be written in', () => {
  test('because there is a file in its place', async () => {
    const folder = aFolder()
    writeFileSync(folder, 'mine')
    expect(await refusal({ TILTH_DATA: folder })).toMatch(
      /^Tilth cannot write in .* \(it is a file\): give .*TILTH_DATA/,
    )
    expect(snapshotFolder(dirname(folder))).toHaveProperty('data')
  })

  test('because nothing can be made where it should be', async () => {
    expect(await refusal({ TILTH_DATA: '/proc/tilth' })).toMatch(
      /^Tilth cannot write in \/proc\/tilth .*TILTH_DATA/,
    )
  })

  test.skipIf(!canBeNobody())(
    'because it belongs to someone else (needs root, and a clone others can read)',
    async () => {
      const folder = aFolder()
      mkdirSync(folder, { mode: 0o755 })
      expect(await refusal({ TILTH_DATA: folder }, { uid: nobody })).toMatch(
        /^Tilth cannot write in .*TILTH_DATA/,
      )
      expect(readdirSync(folder)).toEqual([])
    },
  )
})

/** Root may write anywhere, so as root the test must become a user without that right. */
function canBeNobody(): boolean {
  const dist = resolve(import.meta.dirname, '../../dist/command-line.js')
  const look = `require('node:fs').accessSync(${JSON.stringify(dist)}, 4)`
  return spawnSync(process.execPath, ['-e', look], { uid: nobody }).status === 0
}

test('a port that is taken is refused before there is a folder', async () => {
  const other = createServer((_request, response) => response.end('somebody else')).listen(0)
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo // listens on a port
  const folder = aFolder()
  expect(await refusal({ TILTH_DATA: folder, PORT: String(port) })).toMatch(
    new RegExp(
      `^Port ${port} is taken by another program: stop that one, or set PORT to another number.*\\.$`,
    ),
  )
  expect(existsSync(folder)).toBe(false)
})

describe('a second start on the same folder', () => {
  test('is refused with the number of the first, whatever port it wants, and the first goes on', async () => {
    const { folder, pid, port, address } = await aTilth()
    for (const wanted of ['0', String(port)]) {
      expect(await refusal({ TILTH_DATA: folder, PORT: wanted })).toMatch(
        new RegExp(`^Tilth is already running on ${folder} \\(process ${pid}\\)`),
      )
    }
    expect((await fetch(`${address}/_tilth/ready`)).status).toBe(200)
  })
})

test('data of a newer Tilth is refused, and left as it is', async () => {
  const folder = await aUsedFolder()
  const store = new DatabaseSync(join(folder, 'store.db'))
  store.exec(
    `insert into migrations (name, timestamp) values ('9999-from-the-future', '2099-01-01T00:00:00.000Z')`,
  )
  store.close()
  const before = snapshotFolder(folder)
  expect(await refusal({ TILTH_DATA: folder })).toMatch(/newer/)
  expect(snapshotFolder(folder)).toEqual(before)
})

test('a damaged store is refused, and left as it is', async () => {
  const folder = await aUsedFolder()
  writeFileSync(join(folder, 'store.db'), Buffer.alloc(8192, 'no database'))
  const before = snapshotFolder(folder)
  expect(await refusal({ TILTH_DATA: folder })).toMatch(/damaged .*backups folder/)
  expect(snapshotFolder(folder)).toEqual(before)
})

describe('a store whose secrets are sealed with a key', () => {
  test.each<[string, (key: string) => void, RegExp]>([
    [
      'with another',
      (key) => writeFileSync(key, randomBytes(32)),
      /^\S+flags\.key is another key than the one/,
    ],
    ['without it', (key) => rmSync(key), /^\S+flags\.key is missing\./],
  ])('does not start %s, and says where to get the right one', async (_, harm, says) => {
    const folder = await aUsedFolder()
    const key = join(folder, 'flags.key')
    const right = readFileSync(key)
    harm(key)
    const sentence = await refusal({ TILTH_DATA: folder })
    expect(sentence).toMatch(says)
    expect(sentence).toMatch(/copy flags\.key from the data folder of another front.*--accept-key/)
    writeFileSync(key, right)
    const tilth = await aTilth({ TILTH_DATA: folder })
    expect((await fetch(`${tilth.address}/_tilth/ready`)).status).toBe(200)
  })
})

describe('a package that does not load on this machine', () => {
  const without = (name: string) => ({
    NODE_OPTIONS: `--import ${asProgram(`
      import { registerHooks } from 'node:module'
      registerHooks({ resolve: (name, context, next) => {
        if (name === ${JSON.stringify(name)}) throw new Error('Cannot find native binding')
        return next(name, context)
      } })`)}`,
  })

  test.each<[name: string, environment: TestEnvironment]>([
    ['@node-rs/argon2', without('@node-rs/argon2')],
    ['ffi-rs', without('ffi-rs')],
    ['chdb', { CHDB_LIBCHDB_PATH: '/nowhere/libchdb.so' }],
  ])('%s is named, with what to do', async (name, environment) => {
    const folder = aFolder()
    expect(await refusal({ TILTH_DATA: folder, ...environment })).toMatch(
      new RegExp(`^The package ${name}, needed for .*: run npm install again here`),
    )
    expect(existsSync(folder)).toBe(false)
  })

  test('the engine’s are not missed where another engine is named', async () => {
    const tilth = run(['start'], {
      ...without('ffi-rs'),
      PORT: '0',
      TILTH_DATA: aFolder(),
      TILTH_ENGINE: 'http://nobody:nothing@127.0.0.1:9/tilth',
    })
    await tilth.waitForOutput(/^Tilth is starting at /m)
  })
})

const asProgram = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`
