import { expect, test } from 'vitest'
import { openTestProduct, requireDone } from '#test/product/fixture'

/** Ana and Ben edit Acme. */
async function setUp() {
  const fixture = await openTestProduct()
  const { id } = await fixture.aProject()
  const ana = await fixture.signedIn(await fixture.aMember({ role: 'editor', name: 'Ana' }))
  const ben = await fixture.signedIn(await fixture.aMember({ role: 'editor', name: 'Ben' }))
  const { goals, segments } = fixture.product.insights
  return { goals, segments, id, ana, ben }
}

const thanks = { name: 'Ordered', goal: { type: 'page', path: '/thanks' } }

test('a goal is set, changed and removed', async () => {
  const { goals, id, ana } = await setUp()
  const { goal } = requireDone(await goals.create(id, thanks, ana))
  expect(await goals.list(id, ana)).toMatchObject([{ ...thanks, createdBy: 'Ana' }])

  requireDone(await goals.change(id, goal.id, { goal: { type: 'scroll', path: '/guide', depth: 75 } }, ana))
  expect(await goals.list(id, ana)).toMatchObject([{ name: 'Ordered', goal: { type: 'scroll', depth: 75 } }])

  requireDone(await goals.remove(id, goal.id, ana))
  expect(await goals.list(id, ana)).toEqual([])
})

test.each([
  [{ ...thanks, name: '' }, 'name', /Name the goal/],
  [{ ...thanks, goal: { type: 'page', path: 'thanks' } }, 'goal.path', /Begin a page with/],
  [{ ...thanks, goal: { type: 'scroll', path: '/', depth: 101 } }, 'goal.depth', /100/],
  [{ ...thanks, goal: { type: 'event' } }, 'goal.event', /./],
  [{ ...thanks, goal: { type: 'luck' } }, 'goal.type', /./],
])('%j is no goal', async (wanted, field, message) => {
  const { goals, id, ana } = await setUp()
  expect(await goals.create(id, wanted, ana)).toMatchObject({
    done: false,
    problems: [{ field, message: expect.stringMatching(message) }],
  })
})

const germans = {
  name: 'Germans',
  filter: { all: [{ type: 'session', key: '$session_country', operator: 'exact', value: ['DE'] }] },
}

test('a segment is everyone’s, or whose it is alone', async () => {
  const { segments, id, ana, ben } = await setUp()
  const { segment } = requireDone(await segments.create(id, { ...germans, isShared: false }, ana))
  expect(await segments.list(id, ana)).toMatchObject([{ ...germans, createdBy: 'Ana' }])
  expect(await segments.list(id, ben)).toEqual([])
  expect(await segments.remove(id, segment.id, ben)).toMatchObject({ done: false })

  requireDone(await segments.change(id, segment.id, { isShared: true }, ana))
  expect(await segments.list(id, ben)).toMatchObject([{ name: 'Germans' }])
  requireDone(await segments.remove(id, segment.id, ben))
  expect(await segments.list(id, ana)).toEqual([])
})

test('a segment without a sound condition is not kept', async () => {
  const { segments, id, ana } = await setUp()
  const nonsense = { name: 'Nobody', filter: { type: 'event', key: 'x', operator: 'resembles' } }
  expect(await segments.create(id, nonsense, ana)).toMatchObject({ done: false })
})
