import { afterAll, expect } from 'vitest'
import { sumsByMonth } from '#backups/internal/verification-queries'
import { exportSqlite } from '#backups/store-crossing'
import { sql } from '#engine/sql'
import { personIdOf } from '#persons/person'
import { operator } from '#projects/access'
import { aFront, type Front } from './a-front'
import { aFolder, requireDone } from './fixture'
import { anEnvelope, anEvent } from './ingest-fixture'

export const everythingStored = async ({ product }: Front) =>
  await expect.poll(() => product.intake?.counts().pipeline.pending).toBe(0)

/** The state that two engines with the same rows share. */
export async function stateOf({ engine }: Pick<Front, 'engine'>) {
  const persons = sql`
    select uniqExact(if(empty(o.to_person_id), events.person_id, o.to_person_id)) as persons, count() as events
    from events
    left join (select project_id, from_person_id, to_person_id from person_overrides final) as o
      on o.project_id = events.project_id and o.from_person_id = events.person_id`
  return { sums: await sumsByMonth(engine), persons: await engine.query(persons, { lane: 'ingest' }) }
}

/** A checksum of each table of `store.db`. */
export const checksumsOf = async (folder: string) => {
  const { checksums } = await exportSqlite(folder, { form: 'sqlite', steps: [], rows: {} })
  const { migrations: _times, ...others } = checksums ?? {}
  return others
}

/** Sends an event to a project, `n` of five months. */
export async function send(
  { product }: Front,
  projectId: number,
  n: number,
  changes: Parameters<typeof anEvent>[0] = {},
) {
  const receivedAt = new Date(Date.now() - (n % 5) * 30 * 86_400_000)
  const event = anEvent({ uuid: crypto.randomUUID(), distinctId: `visitor-${n % 20}`, ...changes })
  await product.intake?.accept([event], anEnvelope({ projectId, receivedAt }))
}

/** Says that a visitor is a member, which merges two persons. */
export const identify = async (front: Front, projectId: number, n: number) =>
  await send(front, projectId, n, {
    name: '$identify',
    distinctId: `member-${n}`,
    properties: { $anon_distinct_id: `visitor-${n}`, $set: { plan: 'large' } },
    person: { set: { plan: 'large' }, setOnce: {}, unset: [], add: {} },
  })

export async function erase({ product }: Front, projectId: number, distinctId: string) {
  requireDone(await product.people.erasures.ask(projectId, personIdOf(projectId, distinctId), operator()))
  const unfinished = async () =>
    (await product.people.erasures.list(projectId, operator())).filter(({ finishedAt }) => !finishedAt)
  await expect.poll(unfinished).toEqual([])
}

/** A data folder with events of several months, persons who were merged and one who was erased; its front runs. */
export async function aGrownInstallation() {
  const front = await aFront(aFolder(afterAll))
  const { id } = requireDone(await front.product.projects.create({ name: 'Acme' }, operator())).project
  for (let n = 0; n < 200; n++) await send(front, id, n)
  for (let n = 0; n < 5; n++) await identify(front, id, n)
  await everythingStored(front)
  await erase(front, id, 'visitor-19')
  await front.engine.command(sql`alter table events apply patches settings mutations_sync = 2`)
  return { front, folder: front.folder, projectId: id }
}
