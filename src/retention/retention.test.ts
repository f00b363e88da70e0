import { expect, test } from 'vitest'
import { aFolder, aWorld, requireDone, present } from '#test/product/fixture'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import { sql, uint } from '#engine/sql'
import { onTestFinished } from 'vitest'
import type { Engine } from '#engine/engine'
import { operator } from '#projects/access'
import { openProduct } from '#server/product'

const testEngine = anEngine()
const viewer = operator()

const view = (person: string, at: string, session = `${person} ${at.slice(0, 10)}`): TestEvent => ({
  person,
  event: '$pageview',
  at,
  session,
  columns: { path: '/', host: 'acme.example', revenue: 2 },
})

/** The events at 2026-03-02 10:00 UTC. Two days are kept: from 2026-03-01 on. */
const story: TestEvent[] = [
  view('ana', '2026-01-15T10:00:00Z'),
  view('ana', '2026-01-15T10:05:00Z'),
  view('ben', '2026-01-15T12:00:00Z'),
  view('ana', '2026-02-20T09:00:00Z'),
  // a visit across the boundary, which belongs to the day on which it began
  view('cleo', '2026-02-28T23:50:00Z', 'cleo at night'),
  view('cleo', '2026-03-01T00:05:00Z', 'cleo at night'),
  view('ben', '2026-03-01T12:00:00Z'),
]

async function aProjectWithEvents(events: readonly TestEvent[], engine = testEngine.engine()) {
  const number = await testEngine.addProject(events)
  const [world, folder] = [aWorld(`retention ${number}`), aFolder()]
  const product = await openProduct({ store: { folder }, world, engine })
  onTestFinished(() => product.close())
  for (let i = 1; i < number; i++) await product.projects.create({ name: `Other ${i}` }, viewer)
  const { project } = requireDone(await product.projects.create({ name: 'Acme' }, viewer))
  expect(project.id).toBe(number)
  const keep = async (settings: object) =>
    requireDone(await product.projects.change(project.id, { intake: { keep: settings } }, viewer))
  const left = async () => {
    const [row] = await testEngine
      .engine()
      .query<{ events: number }>(
        sql`select count() as events from events where project_id = ${uint(project.id)}`,
      )
    return row?.events
  }
  const visits = async (wanted: object = {}) => {
    const query = { kind: 'totals' as const, period: '2026-01-01..2026-03-02', interval: 'day', ...wanted }
    const answered = requireDone(await product.insights.ask(project.id, query, viewer, { isFresh: true }))
    return answered.answer
  }
  return { product, project, world, folder, keep, left, visits }
}

test('events older than the project keeps them are deleted, and its totals of visits stay the same', async () => {
  const { product, keep, left, visits, project } = await aProjectWithEvents(story)
  const before = await visits()
  const monthsBefore = await visits({ interval: 'month' })
  await keep({ eventDays: 2 })

  await product.retention.run()

  expect(await left()).toBe(1)
  const after = await visits()
  expect(after.course).toEqual(before.course)
  // visitors of several days are known as long as the events are: 3 people, told as 5 by the day
  expect(before.figures.visitors).toBe(3)
  expect(after.figures).toMatchObject({ visitors: 5, visits: 5, views: 7, revenue: before.figures.revenue })
  expect((await visits({ interval: 'month' })).course.map(({ views }) => views)).toEqual(
    monthsBefore.course.map(({ views }) => views),
  )
  expect(await product.retention.latest(project.id, viewer)).toMatchObject({ events: 6, totals: [] })
})

test('totals of deleted days are left out where a query filters, and of another project', async () => {
  const one = await aProjectWithEvents(story)
  const other = await aProjectWithEvents([view('eve', '2026-01-15T10:00:00Z')])
  await one.keep({ eventDays: 2 })
  await one.product.retention.run()

  const filter = { type: 'session', key: '$session_country', operator: 'is_not', value: ['DE'] }
  expect((await one.visits({ filter })).figures.views).toBe(1)
  expect((await other.visits()).figures).toMatchObject({ visitors: 1, views: 1 })
  expect(await other.left()).toBe(1)
})

test('nothing is deleted where nothing is said', async () => {
  const { product, left } = await aProjectWithEvents(story)

  await product.retention.run()

  expect(await left()).toBe(story.length)
})

test('events that arrive later than their day was deleted are added to its totals', async () => {
  const { product, keep, left, visits, project } = await aProjectWithEvents(story)
  await keep({ eventDays: 2 })
  await product.retention.run()
  await testEngine.fill('events', [
    {
      project_id: project.id,
      uuid: '01890000-0000-4000-8000-000000000001',
      event: '$pageview',
      timestamp: '2026-01-15 20:00:00.000',
      received_at: '2026-03-02 10:00:00',
      distinct_id: 'dora',
      person_id: '01890000-0000-4000-8000-0000000000aa',
      session_id: '01890000-0000-4000-8000-0000000000bb',
      traffic: 'human',
    },
  ])

  await product.retention.run()

  expect(await left()).toBe(1)
  const { starts, course } = await visits()
  expect(course[starts.indexOf('2026-01-15T00:00:00.000Z')]).toMatchObject({ visits: 3, views: 4 })
})

test('a run that was cut short between deleting and adding up is finished once', async () => {
  let breaks = true
  const engine: Engine = new Proxy(testEngine.engine(), {
    get(real, name: keyof Engine) {
      const part: unknown = real[name]
      if (name !== 'command' || typeof part !== 'function')
        return typeof part === 'function' ? part.bind(real) : part
      return async (...given: Parameters<Engine['command']>) => {
        await real.command(...given)
        if (breaks) throw new Error('The machine went away.')
      }
    },
  })
  const { product, keep, left, visits } = await aProjectWithEvents(story, engine)
  const before = await visits()
  await keep({ eventDays: 2 })
  await expect(product.retention.run()).rejects.toThrow('The machine went away.')
  expect(await left()).toBe(1)

  breaks = false
  await product.retention.run()
  await product.retention.run()

  expect((await visits()).course).toEqual(before.course)
  expect(present(await left())).toBe(1)
})
