import { expect, onTestFinished, test } from 'vitest'
import { aManagedServer } from '#test/outside/managed-server'
import { aFront } from '#test/product/a-front'
import { aFolder, requireDone } from '#test/product/fixture'
import { anEnvelope, anEvent, aSetWorld } from '#test/product/ingest-fixture'
import { patienceMs } from '#test/running/patience'
import { temporaryServer } from '#engine/internal/temporary'
import { operator } from '#projects/access'

const restMinutes = 50
/** As often as the most frequent job. */
const turnsPerMinute = 4

test('a server is left alone by all jobs while no event and no query arrives', async () => {
  const server = await temporaryServer()
  onTestFinished(() => server.remove())
  const { url, seen } = await aManagedServer(server.url)
  const begin = Date.now()
  const world = aSetWorld(new Date(begin).toISOString())
  const { product } = await aFront(aFolder(), url, { world })
  const { project } = requireDone(await product.projects.create({ name: 'Acme' }, operator()))
  const envelope = anEnvelope({ projectId: project.id, receivedAt: world.now() })
  const arrives = async () => {
    expect(await product.intake?.accept([anEvent({ uuid: crypto.randomUUID() })], envelope)).toMatchObject({
      kept: 1,
    })
    await expect.poll(() => product.intake?.counts().pipeline.pending, { timeout: patienceMs }).toBe(0)
  }
  await arrives()

  let minutes = 0
  const pass = async (amount: number) => {
    for (let turn = 0; turn < amount * turnsPerMinute; turn++) {
      world.set(new Date(begin + (minutes + turn / turnsPerMinute) * 60_000).toISOString())
      for (const { name } of product.jobs?.counts() ?? []) await product.jobs?.tick(name)
    }
    minutes += amount
  }
  // the jobs see the event, and what they change themselves
  await pass(2)
  const before = seen.length
  await pass(restMinutes)
  // none is of a job; on a slow machine the engine is looked at once
  expect(seen.length - before).toBeLessThan(restMinutes / 5)
  // jobs of every hour
  await pass(restMinutes)
  expect(seen.length).toBeGreaterThan(before)
  expect(seen.length - before).toBeLessThan(restMinutes / 2)

  const rested = seen.length
  await arrives()
  await pass(1)
  expect(seen.slice(rested).map(({ statement }) => statement)).toContainEqual(
    expect.stringMatching(/count\(\)[^]*from events/),
  )
})
