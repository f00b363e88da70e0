import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { engineBudgetFor } from './budget'
import type { EngineProcessOptions } from './internal/child'
import { describeConfinement, engineAccount } from './confinement'
import { engineLayout, createEngineUsers, writeConfiguration } from './internal/configuration'
import { temporaryServer, temporarySettings, type TemporaryServer } from './internal/temporary'

const isRoot = process.geteuid?.() === 0

describe('an attacker who may run any statement as the owner of the engine’s tables', () => {
  let dataFolder: string
  let server: TemporaryServer
  const secrets = ['store.db', 'journal/0001.log', 'salts/today', 'flags.key']

  beforeAll(async () => {
    dataFolder = mkdtempSync(path.join(tmpdir(), 'tilth-walls-'))
    for (const file of secrets) {
      mkdirSync(path.dirname(path.join(dataFolder, file)), { recursive: true })
      writeFileSync(path.join(dataFolder, file), 'a secret of another project')
    }
    server = await temporaryServer(path.join(dataFolder, 'engine'))
  })

  afterAll(async () => {
    await server.remove()
    rmSync(dataFolder, { recursive: true, force: true })
  })

  const ask = async (statement: string) => {
    const { username, password, origin } = new URL(server.url)
    const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}` }
    const answer = await fetch(origin, { method: 'POST', body: statement, headers })
    return `${answer.status} ${await answer.text()}`
  }

  test('reads no file of the machine, of Tilth, or of its processes', async () => {
    const files = [
      '/etc/hostname',
      '/etc/passwd',
      `/proc/${process.pid}/environ`,
      `/proc/${process.pid}/cmdline`,
      `/proc/${process.ppid}/environ`,
      '/proc/self/root/etc/hostname',
      '/proc/self/cwd/../../store.db',
      '/proc/self/fd/0/../../../etc/hostname',
      '../../store.db',
      ...secrets.map((file) => path.join(dataFolder, file)),
    ]
    // The function is there and works: what it may not have is the files.
    const own = path.join(dataFolder, 'engine', 'data', 'status')
    expect(await ask(`select file('${own}')`)).toMatch(/^200 PID: \d+/)
    for (const file of files) expect(await ask(`select file('${file}')`), file).toMatch(/^[45]\d\d Code: /)
  })

  test('writes nothing outside the engine’s own folder', async () => {
    for (const file of [path.join(dataFolder, 'planted'), path.join(tmpdir(), 'tilth-planted')]) {
      await ask(`insert into function file('${file}', LineAsString) select 'planted'`)
      await ask(`select 'planted' into outfile '${file}'`)
      expect(() => statSync(file), file).toThrow('ENOENT')
    }
  })

  test('reaches no server, on this machine or elsewhere', async () => {
    let visits = 0
    const listener = createServer((_, response) => {
      visits += 1
      response.end('1')
    })
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    const address = listener.address()
    if (!address || typeof address === 'string') throw new Error('It listens nowhere.')
    expect(await ask(`select * from url('http://127.0.0.1:${address.port}/', LineAsString)`)).toMatch(
      /^[45]\d\d/,
    )
    await new Promise((resolve) => listener.close(resolve))
    expect(visits).toBe(0)
  })

  test('finds no secret in the environment, no other rights, and no way to get any', async () => {
    const proc = (file: string) => readFileSync(`/proc/${server.pid()}/${file}`, 'utf8')
    const names = proc('environ')
      .split('\0')
      .flatMap((entry) => (entry ? [entry.split('=', 1)[0]] : []))
    const expected = [
      'HOME',
      'LD_LIBRARY_PATH',
      'CHDB_LIBCHDB_PATH',
      'NODE_CHANNEL_FD',
      'NODE_CHANNEL_SERIALIZATION_MODE',
      'NODE_ENV',
      'OPENSSL_CONF',
      'TMPDIR',
      'TZ',
    ]
    expect(names.filter((name) => !expected.includes(name ?? ''))).toEqual([])
    const status = proc('status')
    expect(status).toMatch(/^NoNewPrivs:\t1$/m)
    const changePriority = 1n << 23n
    expect(BigInt(`0x${/^CapEff:\t(\w+)$/m.exec(status)?.[1]}`) & ~changePriority).toBe(0n)
    if (isRoot) expect(status).toMatch(new RegExp(`^Uid:(\t${engineAccount.user}){4}$`, 'm'))
  })

  test.runIf(isRoot)('as another user gets through the data folder, and sees nothing else of it', () => {
    const { user, group } = engineAccount
    const mayRead = (file: string) =>
      spawnSync('test', ['-r', path.join(dataFolder, file)], { uid: user, gid: group }).status === 0
    const files = ['', ...secrets, 'engine/config.xml', 'engine/data']
    expect(files.filter(mayRead)).toEqual(['engine/config.xml', 'engine/data'])
  })
})

test.runIf(isRoot)('started by an ordinary user it stays that user, and is inside all the same', async () => {
  const { folder, childEntry, memoryBytes, cores } = await temporarySettings()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeConfiguration(folder, { users: createEngineUsers(), budget: engineBudgetFor(memoryBytes, cores) })
  const nobody = 65_534
  for (const file of ['', 'config.xml', 'users.xml']) chownSync(path.join(folder, file), nobody, nobody)
  const orders: EngineProcessOptions = { folder, ...engineLayout(folder) }
  const child = fork(childEntry, [JSON.stringify(orders)], {
    uid: nobody,
    gid: nobody,
    cwd: folder,
    env: { NODE_ENV: 'production', TZ: 'UTC' },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [report] = await once(child, 'message')
  expect(report).toMatchObject({
    confinement: { user: nobody, landlock: expect.any(Number), weaknesses: [] },
  })
  expect(readFileSync(`/proc/${child.pid}/status`, 'utf8')).toMatch(/^CapEff:\t0+$/m)
})

test.each([
  [4, true],
  [5, true],
  [6, false],
])('the operator is told what Landlock %i leaves open', (landlock, leavesAbstractSockets) => {
  const told = describeConfinement({ landlock, user: 61_111, weaknesses: [] })

  expect(told).toContain('Not closed by this kernel: UDP, and sockets in the file system')
  expect(told.includes('abstract sockets')).toBe(leavesAbstractSockets)
})
