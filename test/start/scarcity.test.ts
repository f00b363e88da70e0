import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aSmallDisk, whyNoSmallDisk } from '../outside/small-disk'
import { aStartingTilth, aTilth, browserHeaders, childrenOf, type RunningTestTilth } from './tilth'

const owned = {
  TILTH_OWNER_EMAIL: 'ana@example.com',
  TILTH_OWNER_PASSWORD: 'lantern orchard violin',
  TILTH_PROJECT: 'Acme',
  TILTH_PROJECT_KEY: 'phc_acme_write_key',
}

const statusOf = async ({ address }: RunningTestTilth, path: string): Promise<number> =>
  await fetch(address + path, browserHeaders).then(
    ({ status }) => status,
    () => 0,
  )

const flags = '/_tilth/flags?key=phc_acme_write_key&distinct_id=ana'

async function sendEvent({ address }: RunningTestTilth): Promise<number> {
  const body = JSON.stringify({ api_key: 'phc_acme_write_key', event: 'signup', distinct_id: 'ana' })
  const headers = { 'content-type': 'application/json' }
  return (await fetch(`${address}/i/v0/e/`, { method: 'POST', headers, body })).status
}

const becomes = async (tilth: RunningTestTilth, path: string, status: number): Promise<void> => {
  await expect.poll(() => statusOf(tilth, path), { interval: 100 }).toBe(status)
}

async function connected(port: number): Promise<Socket> {
  const connection = connect(port)
  await once(connection, 'connect')
  return connection
}

/** A limit on the numbers of open files that leaves so many free. */
function limitLeaving(free: number, pid: number): number {
  const open = new Set(readdirSync(`/proc/${pid}/fd`).map(Number))
  let limit = 0
  for (let left = free; left > 0; limit++) if (!open.has(limit)) left--
  return limit
}

test('a front without descriptors for a child answers, and has its children again when there are some', async () => {
  const tilth = await aTilth(owned)
  const limit = (descriptors: number | string) =>
    execFileSync('prlimit', ['--pid', String(tilth.pid), `--nofile=${descriptors}:`])
  const [, before = ''] =
    /Max open files\s+(\d+)/.exec(readFileSync(`/proc/${tilth.pid}/limits`, 'utf8')) ?? []
  // enough for requests, with those of the child that ends; a child takes eight
  const killWithFewLeft = () => {
    limit(limitLeaving(2, tilth.pid))
    for (const { pid, runs } of childrenOf(tilth.pid))
      if (runs.includes('pages.js')) process.kill(pid, 'SIGKILL')
    return tilth.out
  }
  const connections = await Promise.all(Array.from({ length: 8 }, () => connected(tilth.port)))
  killWithFewLeft()
  // what ends meanwhile may leave enough for a child
  for (const connection of connections) connection.destroy()
  await expect.poll(killWithFewLeft, { interval: 500 }).toMatch(/could not be started: .*EMFILE/)
  await becomes(tilth, '/_tilth/health', 200)
  await becomes(tilth, flags, 200)
  limit(before)
  await becomes(tilth, '/_tilth/ready', 200)
  await becomes(tilth, '/studio', 307)
})

test('a start on a full disk serves flags and the site, refuses events, and takes them when there is room', async ({
  skip,
}) => {
  const disk = aSmallDisk(400)
  if (!disk) {
    skip(whyNoSmallDisk)
    return
  }
  const settings = { ...owned, TILTH_DATA: join(disk.folder, 'data') }
  const first = await aTilth(settings)
  expect(await sendEvent(first)).toBe(200)
  first.kill('SIGTERM')
  await first.ended
  disk.fill()

  const tilth = await aStartingTilth(settings)
  await becomes(tilth, '/', 200)
  await becomes(tilth, flags, 200)
  expect(await sendEvent(tilth)).toBe(503)
  expect(await (await fetch(`${tilth.address}/_tilth/ready`)).json()).toMatchObject({
    ready: false,
    parts: { disk: { ok: false, status: 'full' } },
  })
  disk.makeSpace()
  // a balancer sends no event before this
  await becomes(tilth, '/_tilth/ready', 200)
  expect(await sendEvent(tilth)).toBe(200)
})

test('a start on a disk too full for its store decides flags by their snapshot, and goes on when there is room', async ({
  skip,
}) => {
  const disk = aSmallDisk(400)
  if (!disk) {
    skip(whyNoSmallDisk)
    return
  }
  const settings = { ...owned, TILTH_DATA: join(disk.folder, 'data') }
  const first = await aTilth(settings)
  first.kill('SIGTERM')
  await first.ended
  // another program has taken what was kept
  rmSync(join(disk.folder, 'data', 'reserve'))
  disk.fill()

  const tilth = await aStartingTilth(settings)
  await tilth.waitForOutput(/is full, so that the store cannot be opened/)
  await becomes(tilth, flags, 200)
  expect(await sendEvent(tilth)).toBe(503)
  disk.makeSpace()
  await becomes(tilth, '/_tilth/ready', 200)
  await expect.poll(() => sendEvent(tilth), { interval: 100 }).toBe(200)
})
