import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { storeMigrations } from '#migrations/store/all'
import { sql } from '#engine/sql'
import { operator } from '#projects/access'
import { fillFolder, openFolder } from './data-folder-maker'
import { aFolder } from './fixture'

/**
 * Data folders that earlier versions have written. To add the present one:
 * TILTH_MAKE_DATA_FOLDER=<version> npx vitest run --project contract test/product/data-folders
 */
const kept = join(import.meta.dirname, '../fixtures/data-folders')
const wanted = process.env['TILTH_MAKE_DATA_FOLDER']

/** The files that the next start makes anew, and those that must never be kept. */
const leftOut = [
  './salts',
  './lock',
  './pid',
  './engine/config.xml',
  './engine/users.xml',
  './engine/data/status',
]

if (wanted) {
  test(`making ${wanted}`, async () => {
    const folder = aFolder()
    await fillFolder(folder)
    mkdirSync(kept, { recursive: true })
    const excluded = leftOut.map((name) => `--exclude=${name}`)
    tar(['-czf', join(kept, `${wanted}.tar.gz`), ...excluded, '-C', folder, '.'])
  })
} else {
  const versions = readdirSync(kept).filter((name) => name.endsWith('.tar.gz'))

  test.each(versions)('%s opens, is brought up to date, and answers as it did', async (version) => {
    expect(statSync(join(kept, version)).size).toBeLessThan(300_000)
    const folder = aFolder()
    tar(['-xzf', join(kept, version), '-C', folder])
    const { engine, product, close } = await openFolder(folder)
    onTestFinished(close)
    const known = await engine.query<{ number: number }>(
      sql`select distinct number from tilth_migrations order by number`,
      { lane: 'ingest' },
    )
    expect(known.length).toBeGreaterThan(0)

    // twenty of them were still in the journal
    const count = sql`select count() as events from events`
    await expect.poll(() => engine.query(count)).toEqual([{ events: 120 }])
    const all = sql`
      select toString(event) as name, count() as events, uniqExact(uuid) as uuids, uniqExact(session_id) > 0 as hasSessions
      from events
      group by name
      order by name`
    expect(await engine.query(all)).toEqual([
      { name: '$identify', events: 24, uuids: 24, hasSessions: 1 },
      { name: 'event 0', events: 32, uuids: 32, hasSessions: 1 },
      { name: 'event 1', events: 32, uuids: 32, hasSessions: 1 },
      { name: 'event 2', events: 32, uuids: 32, hasSessions: 1 },
    ])
    const project = product.projects.find('acme', operator())
    const named = sql`select uniqExact(properties['n']) as values from events where project_id = 1`
    expect([project.name, await engine.query(named)]).toEqual(['Acme', [{ values: 120 }]])
    expect(stepsOf(folder)).toEqual(storeMigrations.map(({ name }) => name))
  })
}

function stepsOf(folder: string): string[] {
  const database = new DatabaseSync(join(folder, 'store.db'), { readOnly: true })
  try {
    return database
      .prepare('select name from migrations order by name')
      .all()
      .map(({ name }) => String(name))
  } finally {
    database.close()
  }
}

function tar(args: readonly string[]): void {
  const { status, stderr } = spawnSync('tar', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}
