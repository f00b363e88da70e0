import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { storeMigrations } from '#migrations/store/all'
import { aFront } from '#test/product/a-front'
import { aFolder, requireDone } from '#test/product/fixture'
import { anEnvelope, anEvent } from '#test/product/ingest-fixture'
import { linkBeforeUpgrade } from '#engine/part-links'
import { sql } from '#engine/sql'
import { personIdOf } from './person'
import { operator } from '#projects/access'
import { openStore } from '#store/open'
import type { Product } from '#server/product'

/** The engine deletes parts that a mutation has replaced at once, not after eight minutes. */
const deletesAtOnce = sql`
  old_parts_lifetime = 0, cleanup_delay_period = 0, max_cleanup_delay_period = 1, cleanup_delay_period_random_add = 0`

async function sends(product: Product, projectId: number, distinctId: string, secret: string) {
  const event = anEvent({
    uuid: crypto.randomUUID(),
    name: 'signed up',
    distinctId,
    properties: { secret },
    person: { set: { secret }, setOnce: {}, unset: [], add: {} },
  })
  const envelope = anEnvelope({ projectId, receivedAt: new Date() })
  expect(await product.intake?.accept([event], envelope)).toMatchObject({ taken: true, kept: 1 })
  await expect.poll(() => product.intake?.counts().pipeline.pending).toBe(0)
}

/** The files below a folder that contain a text in plain bytes. */
function filesWith(text: string, folder: string): string[] {
  return entriesBelow(folder)
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => contains(file, text))
    .map((file) => file.slice(folder.length + 1))
}

/** Lists once more where a folder was removed meanwhile: an engine that runs removes its parts. */
function entriesBelow(folder: string): Dirent[] {
  for (;;)
    try {
      return readdirSync(folder, { recursive: true, withFileTypes: true })
    } catch (problem) {
      if (!(problem instanceof Error && 'code' in problem && problem.code === 'ENOENT')) throw problem
    }
}

function contains(file: string, text: string): boolean {
  try {
    return readFileSync(file).includes(text)
  } catch {
    // files come and go while an engine runs
    return false
  }
}

const marker = 'f3a97c15be6d4082917ac5be03d164f8'
const others = '0b64e1d7983c4fa5a2f60c917be35d48'

/** A folder that was upgraded once, so that it has copies from before, and in which ana and ben are known. */
async function anUpgradedFolder() {
  const folder = aFolder()
  const first = await aFront(folder)
  const project = requireDone(await first.product.projects.create({ name: 'Acme' }, operator())).project
  await sends(first.product, project.id, 'ana', marker)
  await sends(first.product, project.id, 'ben', others)
  for (const table of [sql`events`, sql`persons`, sql`person_overrides`])
    await first.engine.command(sql`alter table ${table} modify setting ${deletesAtOnce}`)
  const links = { engineFolder: join(folder, 'engine'), upgradesFolder: join(folder, 'backups'), step: 1 }
  await linkBeforeUpgrade(first.engine, links)
  await first.close()
  const later = { name: '9001-later', up: async () => {} }
  await (await openStore({ folder }, [...storeMigrations, later])).close()
  const downgraded = await openStore({ folder }, [...storeMigrations, later])
  await downgraded
    .tables<{ migrations: { name: string } }>()
    .deleteFrom('migrations')
    .where('name', '=', later.name)
    .execute()
  await downgraded.close()
  return { folder, projectId: project.id }
}

/**
 * The files that an erasure has cleared when it counts as finished. The engine deletes parts that a mutation has replaced
 * some time after it, and the journal a file once its last event is known to be stored.
 */
const clearedFiles = (folder: string): string[] =>
  filesWith(marker, folder).filter((file) => !/^(?:engine|journal)\//.test(file))

async function erased(product: Product, projectId: number): Promise<void> {
  requireDone(await product.people.erasures.ask(projectId, personIdOf(projectId, 'ana'), operator()))
  const list = () => product.people.erasures.list(projectId, operator())
  await expect.poll(list).toMatchObject([{ finishedAt: expect.any(Date) }])
}

test('an erased person is in no byte of the data folder, copies from before upgrades included', async () => {
  const { folder, projectId } = await anUpgradedFolder()
  const { product } = await aFront(folder)
  const before = filesWith(marker, folder)
  expect(before).toContainEqual(expect.stringMatching(/^store\.db/))
  expect(before).toContainEqual(expect.stringMatching(/^backups\/store-/))
  expect(before).toContainEqual(expect.stringMatching(/^backups\/engine-/))
  expect(before).toContainEqual(expect.stringMatching(/^engine\/data\/store\//))

  await erased(product, projectId)
  expect(clearedFiles(folder)).toEqual([])
  await expect.poll(() => filesWith(marker, folder)).toEqual([])
  expect(filesWith(others, folder)).not.toEqual([])
})

test('a store that is put back from a copy learns who was erased since, and they are erased once more', async () => {
  const { folder, projectId } = await anUpgradedFolder()
  const aside = join(aFolder(), 'store.db')
  const [copy = ''] = readdirSync(join(folder, 'backups')).filter((name) => name.startsWith('store-'))
  await copyFile(join(folder, 'backups', copy), aside)
  const first = await aFront(folder)
  await erased(first.product, projectId)
  await first.close()

  await copyFile(aside, join(folder, 'store.db'))
  const again = await aFront(folder)
  const list = () => again.product.people.erasures.list(projectId, operator())
  await expect.poll(list).toMatchObject([{ askedBy: 'restore', finishedAt: expect.any(Date) }])
  expect(clearedFiles(folder)).toEqual([])
  await expect.poll(() => filesWith(marker, folder)).toEqual([])
})
