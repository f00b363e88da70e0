import { backupSettings } from '#test/product/backup-settings'
import { expect, onTestFinished, test } from 'vitest'
import { aManagedServer, refusals } from '#test/outside/managed-server'
import { aFront, type Front } from '#test/product/a-front'
import { aFolder, requireDone } from '#test/product/fixture'
import { anEnvelope, anEvent } from '#test/product/ingest-fixture'
import { patienceMs } from '#test/running/patience'
import { backUp } from '#backups/back-up'
import { FolderTarget } from '#backups/internal/folder-target'
import { Repository } from '#backups/repository'
import { inspectServer } from '#engine/inspect-server'
import { openEngine } from '#engine/open'
import { sql } from '#engine/sql'
import { temporaryServer } from '#engine/internal/temporary'
import type { IncomingEvent } from '#events/event'
import { personIdOf } from '#persons/person'
import { operator } from '#projects/access'

const viewer = operator()

async function aRealServer() {
  const server = await temporaryServer()
  onTestFinished(() => server.remove())
  return server
}

const send = async ({ product }: Front, projectId: number, events: readonly IncomingEvent[]) => {
  const envelope = anEnvelope({ projectId, receivedAt: new Date() })
  expect(await product.intake?.accept([...events], envelope)).toMatchObject({ kept: events.length })
  await expect.poll(() => product.intake?.counts().pipeline.pending, { timeout: patienceMs }).toBe(0)
}

const viewsOf = (distinctId: string, amount: number): IncomingEvent[] =>
  Array.from({ length: amount }, () => anEvent({ uuid: crypto.randomUUID(), distinctId }))

const identifying = (distinctId: string, anonymous: string): IncomingEvent =>
  anEvent({
    uuid: crypto.randomUUID(),
    name: '$identify',
    distinctId,
    identity: { kind: 'identify', anonymous },
  })

/** The events of the engine: all, different ones, and the persons that they name themselves. */
async function eventsIn({ engine }: Front) {
  const [row] = await engine.query<{ rows: number; different: number; persons: number }>(
    sql`select count() as rows, uniqExact(uuid) as different, uniqExact(person_id) as persons from events`,
    { lane: 'ingest' },
  )
  return row
}

/** Merges a person, asks, deletes one and makes a backup, with every event sent once more in between. */
async function live(front: Front) {
  const { product } = front
  const { project } = requireDone(await product.projects.create({ name: 'Acme' }, viewer))
  const views = [...viewsOf('ana', 5), ...viewsOf('before ana', 3), ...viewsOf('ben', 2)]
  await send(front, project.id, views)
  await send(front, project.id, [identifying('ana', 'before ana')])
  await send(front, project.id, views)
  expect(await eventsIn(front)).toEqual({ rows: 11, different: 11, persons: 3 })
  const ask = async () =>
    requireDone(await product.insights.ask(project.id, { kind: 'totals', period: '7d' }, viewer))
  expect((await ask()).answer).toMatchObject({ figures: { views: 10, visitors: 2 } })

  // the second look finds that no event is on its way
  await product.jobs?.hurry('squash persons')
  await product.jobs?.hurry('squash persons')
  expect(await eventsIn(front)).toEqual({ rows: 11, different: 11, persons: 2 })

  requireDone(await product.people.erasures.ask(project.id, personIdOf(project.id, 'ben'), viewer))
  await product.jobs?.hurry('erase persons')
  const erasures = () => product.people.erasures.list(project.id, viewer)
  await expect.poll(erasures, { timeout: patienceMs }).toMatchObject([{ finishedAt: expect.any(Date) }])
  expect(await eventsIn(front)).toEqual({ rows: 9, different: 9, persons: 1 })
  return project
}

async function backedUp(front: Front, engineUrl: string) {
  const repository = await Repository.openOrBegin(new FolderTarget(aFolder()), undefined)
  return await backUp({
    dataFolder: front.folder,
    store: { folder: front.folder },
    repository,
    ...backupSettings,
    engineUrl,
  })
}

const { attach, ...usual } = refusals

test.each([
  ['and shares parts between tables', Object.values(usual)],
  ['and shares no parts between tables', [...Object.values(usual), attach]],
])('all goes on with a server that refuses what it may %s', async (_, refused) => {
  const managed = await aManagedServer((await aRealServer()).url, { refused })
  const front = await aFront(aFolder(), managed.url)
  const project = await live(front)
  const { manifest } = await backedUp(front, managed.url)
  expect(manifest.point.projects).toEqual([{ id: project.id, events: 9 }])
  expect(manifest.leftOut).toEqual([])
  const copies = sql`select name from system.tables where startsWith(name, 'tilth_backup_')`
  expect(await front.engine.query(copies, { lane: 'ingest' })).toEqual([])

  expect(front.engine.health().doneWithout).toEqual([
    expect.stringContaining('a power cut on its machine can lose those of its last seconds'),
    expect.stringContaining('block numbers'),
    expect.stringContaining('lightweight updates'),
    expect.stringContaining('to clone tables'),
    ...(refused.includes(attach) ? [expect.stringContaining('row by row')] : []),
  ])
  const tries = (of: RegExp) => managed.seen.filter(({ statement }) => of.test(statement)).length
  expect(tries(refusals.update.of) + tries(refusals.patches.of)).toBeLessThanOrEqual(2)

  // a later process reads it off the tables
  const inspection = await inspectServer(managed.url)
  expect(inspection).toMatchObject({
    doneWithout: [expect.stringContaining('fsync'), expect.stringContaining('block numbers')],
  })
})

test('with replicas, look-ups wait for what was inserted, and all servers are searched for statements', async () => {
  const managed = await aManagedServer((await aRealServer()).url, { hasReplicas: true })
  const front = await aFront(aFolder(), managed.url)
  const project = await live(front)
  expect((await backedUp(front, managed.url)).manifest.point.projects).toEqual([
    { id: project.id, events: 9 },
  ])

  const lookUps = managed.seen.filter(({ statement }) => /prewhere uuid in/.test(statement))
  expect(lookUps.length).toBeGreaterThan(0)
  for (const { settings } of lookUps) expect(settings).toMatchObject({ select_sequential_consistency: '1' })
  const inserts = managed.seen.filter(({ statement }) => /^insert into events\b/.test(statement))
  expect(inserts.length).toBeGreaterThan(0)
  for (const { settings } of inserts)
    expect(settings).toMatchObject({ insert_quorum: 'auto', insert_quorum_parallel: '0' })
  const running = managed.seen.filter(({ statement }) => statement.includes('system.processes'))
  expect(running.length).toBeGreaterThan(0)
  for (const { statement } of running)
    expect(statement).toContain("clusterAllReplicas('all-replicas', system.processes)")
})

test('an account that may not reach the replicas is told all that it lacks at once', async () => {
  const { url } = await aManagedServer((await aRealServer()).url, {
    hasReplicas: true,
    mayReachReplicas: false,
  })
  expect(await inspectServer(url)).toEqual({
    usable: false,
    trouble: expect.stringMatching(
      /: grant select on system\.`clusters` to [^;]*; grant select on system\.`macros` to [^;]*; grant remote on \*\.\* to [^;]*; grant cluster on \*\.\* to [^;]*;$/,
    ),
  })
})

test('with replicas, a statement that this server does not know is stopped on all of them', async () => {
  const managed = await aManagedServer((await aRealServer()).url, { hasReplicas: true })
  const engine = openEngine({
    form: 'remote',
    url: managed.url,
    log: { info() {}, warn() {}, error() {} },
  })
  onTestFinished(() => engine.close())
  await engine.ready()
  const impatient = new AbortController()
  const endless = sql`select count() from numbers(1000000000000) where cityHash64(number) = 1`
  const asked = expect(engine.query(endless, { signal: impatient.signal })).rejects.toMatchObject({
    failure: 'cancelled',
  })
  const running = () =>
    engine.query(
      sql`select 1 from system.processes where query like '%cityHash64(number) = 1%' and query not like '%processes%'`,
      { lane: 'ingest' },
    )
  await expect.poll(running, { timeout: patienceMs }).toHaveLength(1)
  impatient.abort()
  await asked
  await expect.poll(running, { timeout: patienceMs }).toEqual([])
  expect(managed.seen.map(({ statement }) => statement)).toContainEqual(
    expect.stringMatching(/^kill query on cluster 'all-replicas' where query_id = /),
  )
})

test('a plain server is asked for none of this', async () => {
  const managed = await aManagedServer((await aRealServer()).url)
  const front = await aFront(aFolder(), managed.url)
  await live(front)
  for (const { statement, settings } of managed.seen) {
    expect(settings).not.toHaveProperty('select_sequential_consistency')
    expect(settings).not.toHaveProperty('insert_quorum')
    expect(statement).not.toMatch(/clusterAllReplicas|system\.clusters|on cluster/)
  }
  expect(front.engine.health().doneWithout).toEqual([])
})
