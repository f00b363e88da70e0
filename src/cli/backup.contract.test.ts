import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandsFor } from '#test/product/commands'
import { aFolder } from '#test/product/fixture'
import { openEngine } from '#engine/open'
import { temporarySettings } from '#engine/internal/temporary'
import { openStore } from '#store/open'
import { backupCommand } from './backup'
import { restoreCommand } from './restore'

/** A data folder of a Tilth that does not run, with some events. */
async function aDataFolder(): Promise<string> {
  const folder = aFolder()
  await (await openStore({ folder })).close()
  const engine = openEngine({ ...(await temporarySettings()), folder: join(folder, 'engine') })
  await engine.ready()
  const event = { project_id: 1, event: 'read', timestamp: '2026-11-01 00:00:00.000' }
  const rows = Array.from({ length: 200 }, () => JSON.stringify({ ...event, uuid: crypto.randomUUID() }))
  await engine.insert('events', rows.join('\n'))
  await engine.close()
  return folder
}

/** Flips a bit in the largest file of values of the engine. */
function flipBitOfEvents(folder: string): void {
  const store = join(folder, 'engine', 'data', 'store')
  const found = readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('data.bin'),
  )
  const files = found.map((name) => ({ name, bytes: readFileSync(join(store, name)) }))
  const [largest] = files.toSorted((one, other) => other.bytes.length - one.bytes.length)
  if (!largest) throw new Error('There is no part.')
  const at = Math.floor(largest.bytes.length / 2)
  largest.bytes.writeUInt8(largest.bytes.readUInt8(at) ^ 1, at)
  writeFileSync(join(store, largest.name), largest.bytes)
}

test('a backup of sound data is verified; one of damaged data says so at every step, and is restored by its name only', async () => {
  const folder = await aDataFolder()
  const runs = await commandsFor(folder)
  expect(await runs(backupCommand)).toMatchObject({ code: 0 })
  expect(await runs(backupCommand, '--verify')).toMatchObject({
    code: 0,
    text: expect.stringMatching(
      /[1-9]\d* parts of the engine are whole, and 5 questions are answered as they were/,
    ),
  })

  flipBitOfEvents(folder)
  const damaged = await runs(backupCommand, '--json')
  expect(damaged).toMatchObject({
    code: 1,
    text: expect.stringMatching(/The part \S+ of the table events is damaged/),
  })
  const [, snapshot = ''] = /"snapshot": "([^"]+)"/.exec(damaged.text) ?? []
  expect(await runs(backupCommand, '--verify')).toMatchObject({
    code: 1,
    text: expect.stringMatching(/is not what it should be:\nThe part /),
  })
  expect(await runs(backupCommand, 'list')).toMatchObject({ code: 0, text: expect.stringMatching(/damaged/) })

  const restored = join(aFolder(), 'restored')
  expect(await runs(restoreCommand, '--to', restored)).toMatchObject({
    code: 1,
    text: expect.stringMatching(/was taken of damaged data/),
  })
  expect(await runs(restoreCommand, snapshot, '--to', restored)).toMatchObject({
    code: 0,
    text: expect.stringMatching(/The part \S+ of the table events is damaged/),
  })
})
