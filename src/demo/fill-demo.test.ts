import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { openTestProduct, requireDone, problemMessages, present } from '#test/product/fixture'
import type { DemoEvent } from './internal/event'
import { operator } from '#projects/access'
import { readConfig } from '#server/config'
import { fillDemo } from './fill-demo'

interface Batch {
  api_key: string
  historical_migration: boolean
  batch: DemoEvent[]
}

/** Something that answers as Tilth does, and turns away as many batches as it is told to before it takes one. */
async function aBusyTilth(turnedAway: number, status = 503) {
  const taken: Batch[] = []
  const seen = { batches: 0, atOnce: 0, most: 0 }
  const answer = (path: string, body: Buffer): { status: number; body: string } => {
    if (path === '/_tilth/health') return { status: 200, body: '{"status":"alive"}' }
    if (path !== '/batch/') {
      const events = taken.flatMap(({ batch }) => batch).slice(-1)
      return { status: 200, body: JSON.stringify({ events }) }
    }
    seen.batches += 1
    if (seen.batches <= turnedAway) return { status, body: 'busy' }
    taken.push(JSON.parse(gunzipSync(body).toString()) as Batch)
    return { status: 200, body: '{"status":"Ok"}' }
  }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    seen.most = Math.max(seen.most, ++seen.atOnce)
    const answered = answer(request.url ?? '', await buffer(request))
    seen.atOnce -= 1
    response.writeHead(answered.status, { 'retry-after': '0' }).end(answered.body)
  }
  const server = createServer((request, response) => {
    serve(request, response).catch((problem: unknown) => response.destroy(problem as Error)) // only errors are thrown here
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { taken, seen, config: configOf({ PORT: String(port), TILTH_HOST: '127.0.0.1' }) }
}

function configOf(environment: Record<string, string>) {
  const reading = readConfig(environment)
  if (!reading.readable) throw new Error(reading.problems.join(' '))
  return reading.config
}

const wishes = (now: Date) => ({
  slug: 'demo',
  story: { events: 3000, seed: 'test' },
  now,
  onProgress: () => {},
})

test('sends one batch after the other, and a batch that was turned away again', async () => {
  const { product, world } = await openTestProduct()
  const { taken, seen, config } = await aBusyTilth(2)

  const told = requireDone(await fillDemo(product, config, wishes(world.now())))

  const events = taken.flatMap(({ batch }) => batch)
  expect(told).toMatchObject({ events: events.length, isNew: true })
  expect(new Set(events.map(({ uuid }) => uuid)).size).toBe(events.length)
  expect(seen).toMatchObject({ batches: taken.length + 2, most: 1 })
  expect(taken[0]).toMatchObject({ api_key: told.project.writeKey, historical_migration: true })
})

test('leaves no key behind that works', async () => {
  const { product, world } = await openTestProduct()
  const { config } = await aBusyTilth(0)
  const { project } = requireDone(await fillDemo(product, config, wishes(world.now())))
  const keys = await product.projects.keys.list(project.id, operator())
  expect(keys).toHaveLength(1)
  expect(keys[0]?.revokedAt).toBeInstanceOf(Date)
})

test('a refusal is not asked about again', async () => {
  const { product, world } = await openTestProduct()
  const { seen, config } = await aBusyTilth(99, 401)
  await expect(fillDemo(product, config, wishes(world.now()))).rejects.toThrow(
    'refused a part of the demo (401)',
  )
  expect(seen.batches).toBe(1)
})

test('an archived demo is left in peace', async () => {
  const { product, world } = await openTestProduct()
  const { config, seen } = await aBusyTilth(0)
  const { project } = requireDone(await fillDemo(product, config, wishes(world.now())))
  const { batches } = seen
  requireDone(await product.projects.archive(project.id, operator()))
  expect(problemMessages(await fillDemo(product, config, wishes(world.now())))).toEqual([
    '"demo" is archived. Restore it with: tilth project restore demo',
  ])
  expect(seen.batches).toBe(batches)
})

test('the site of a fresh demo stands at "/" before its first event is sent', async () => {
  const { product, world } = await openTestProduct()
  const { config } = await aBusyTilth(99, 401)
  await expect(fillDemo(product, config, wishes(world.now()))).rejects.toThrow('refused a part')

  const site = present(product.posts.published.siteAt('localhost:3000'))
  expect(site.name).toBe('Pinewise')
  expect(product.posts.published.bySlug(site.projectId, 'page', '', world.now())?.title).toBeTruthy()
})
