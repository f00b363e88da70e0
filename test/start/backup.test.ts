import { createHash } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { anOwnedTilth, sendCapture, readMetric, ownedEnvironment, pageview } from '../wire/tilth-fixture'
import { aFolder, type TestEnvironment, run, type RunningTestTilth } from './tilth'

async function command(args: readonly string[], environment: TestEnvironment) {
  const attempt = run(args, environment)
  const { code } = await attempt.ended
  return { code, out: attempt.out, err: attempt.err }
}

/** Sends page views without pause, and knows which were acknowledged. */
function traffic(tilth: RunningTestTilth) {
  const acknowledged = new Set<string>()
  const ending = new AbortController()
  const sending = (async () => {
    for (let n = 0; !ending.signal.aborted; n++) {
      const event = pageview(`visitor-${n % 20}`)
      const answer = await sendCapture(tilth, event).catch(() => undefined)
      if (answer?.status === 200) acknowledged.add(event.uuid)
    }
  })()
  const stop = async () => {
    ending.abort()
    await sending
  }
  return { acknowledged, stop }
}

/** The number of events, of distinct ones, and of these. */
async function countsIn(folder: string, tilth: RunningTestTilth, sought: readonly string[]) {
  const listed = sought.map((uuid) => `'${uuid}'`).join(', ')
  const statement = `select count() as events, uniqExact(uuid) as uuids, countIf(toString(uuid) in (${listed})) as wanted from events`
  const environment = { ...ownedEnvironment, TILTH_DATA: folder, PORT: String(tilth.port) }
  const { out } = await command(['query', '--json', statement], environment)
  const told = JSON.parse(out || '{"rows":[]}') as { rows: number[][] } // the format that the command prints
  const [events, uuids, wanted] = told.rows[0] ?? []
  return { events, uuids, wanted }
}

/** Kills a backup when its first blob is about to get its name: a kill from outside may come after the end. */
const diesAtFirstBlob = `--import data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const { rename } = fs.promises
  fs.promises.rename = (from, to) =>
    String(to).includes('/blobs/') ? process.kill(process.pid, 'SIGKILL') : rename(from, to)
  syncBuiltinESMExports()`)}`

test('what was backed up under load, by a command that was killed and called again, comes back whole', async () => {
  const fixture = aFolder()
  const key = `${fixture}.key`
  writeFileSync(key, createHash('sha256').update('a key of the test').digest('hex'))
  const tilth = await anOwnedTilth()
  const settings = { TILTH_DATA: tilth.folder, TILTH_BACKUP: fixture, TILTH_BACKUP_KEY_FILE: key }
  const visitors = traffic(tilth)
  await expect.poll(() => visitors.acknowledged.size).toBeGreaterThan(50)

  const killed = await command(['backup'], { ...settings, NODE_OPTIONS: diesAtFirstBlob })
  expect(killed).toMatchObject({ code: null, out: '' })
  expect(readdirSync(fixture).toSorted()).toEqual(expect.arrayContaining(['blobs', 'lock.json']))

  const before = [...visitors.acknowledged].slice(-200)
  const done = await command(['backup', '--json'], settings)
  expect(done).toMatchObject({ code: 0, err: '' })
  await visitors.stop()
  expect(await readMetric(tilth, 'tilth_backup_failures')).toBe(0)
  expect(await readMetric(tilth, 'tilth_backup_bytes')).toBeGreaterThan(0)
  expect(await command(['backup', 'check'], settings)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^All is whole: 1 snapshots/),
  })
  expect(await command(['backup', '--verify'], settings)).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/and 5 questions are answered as they were/),
  })
  expect(readdirSync(join(tilth.folder, 'backups'))).toEqual([])
  tilth.kill('SIGKILL')
  await tilth.ended

  const folder = join(`${fixture}-restored`, 'data')
  expect(await command(['restore', '--to', folder], settings)).toMatchObject({ code: 0, err: '' })
  expect(await command(['restore', '--to', folder], settings)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/is not empty/),
  })
  const again = await anOwnedTilth({ ...ownedEnvironment, TILTH_DATA: folder })
  await expect.poll(async () => (await countsIn(folder, again, before)).wanted).toBe(before.length)
  const counts = await countsIn(folder, again, before)
  expect(counts.uuids).toBe(counts.events)
})
