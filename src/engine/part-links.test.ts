import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { migrations } from '#migrations/engine/migrations'
import type { EmbeddedSettings } from './internal/embedded'
import type { Engine } from './engine'
import { openEngine } from './open'
import { sql } from './sql'
import { temporarySettings } from './internal/temporary'

async function opened(settings: EmbeddedSettings, history = migrations): Promise<Engine> {
  const engine = openEngine(settings, history)
  onTestFinished(() => engine.close())
  await engine.ready()
  return engine
}

const anEvent = (event: string): string =>
  JSON.stringify({ project_id: 1, uuid: crypto.randomUUID(), event, timestamp: '2026-11-01 00:00:00.000' })

const eventsIn = (engine: Engine) => engine.query(sql`select event from events order by event`)

test('before a migration changes the tables, the engine of before is kept, and it still opens', async () => {
  const settings = await temporarySettings()
  const upgradesFolder = join(settings.folder, 'upgrades')
  onTestFinished(() => rmSync(settings.folder, { recursive: true, force: true }))
  const folder = join(settings.folder, 'engine')
  const older = migrations.slice(0, -1)

  const before = await opened({ ...settings, folder, upgradesFolder }, older)
  await before.insert('events', anEvent('from before'))
  await before.close()
  const after = await opened({ ...settings, folder, upgradesFolder })
  await after.insert('events', anEvent('from after'))
  expect(await eventsIn(after)).toEqual([{ event: 'from after' }, { event: 'from before' }])
  await after.close()

  const [kept = '', ...others] = readdirSync(upgradesFolder)
  expect([kept, others]).toEqual([expect.stringMatching(/^engine-2.*-before-step-\d+$/), []])
  const old = await opened({ ...settings, folder: join(upgradesFolder, kept) }, older)
  expect(await eventsIn(old)).toEqual([{ event: 'from before' }])
})
