import { expect, test } from 'vitest'
import { openTestProduct, requireDone, type TestProduct } from '#test/product/fixture'
import type { MemberViewer } from '#projects/access'
import type { Project } from '#projects/project'
import type { SavedInsight } from './saved-insights'

interface Stage extends TestProduct {
  acme: Project
  ana: MemberViewer
  ben: MemberViewer
  save: (wanted?: object) => Promise<SavedInsight>
}

/** Ana and Ben edit Acme. */
async function setUp(): Promise<Stage> {
  const fixture = await openTestProduct()
  const acme = await fixture.aProject()
  const ana = await fixture.signedIn(await fixture.aMember({ role: 'editor', name: 'Ana' }))
  const ben = await fixture.signedIn(await fixture.aMember({ role: 'editor', name: 'Ben' }))
  const save = async (wanted: object = {}) =>
    requireDone(
      await fixture.product.insights.saved.create(
        acme.id,
        { name: 'Signups', question: signups, ...wanted },
        ana,
      ),
    ).insight
  return { ...fixture, acme, ana, ben, save }
}

const signups = { kind: 'trend', series: [{ event: 'signup' }] }

test('a query is kept with everything it left to be understood', async () => {
  const { save } = await setUp()

  expect(await save()).toMatchObject({
    name: 'Signups',
    question: { kind: 'trend', period: '30d', traffic: 'human', series: [{ measure: { math: 'total' } }] },
    version: 1,
    createdBy: 'Ana',
  })
})

test.each([
  [{ name: ' ' }, 'name', 'Name the insight.'],
  [{ question: { kind: 'weather' } }, 'question.kind', /Say which kind of question it is/],
  [{ question: { kind: 'funnel', steps: [] } }, 'question.steps', 'A funnel has at least two steps.'],
  [{ question: 'signups' }, 'question', 'Give the insight’s question.'],
  [{ tags: [''] }, 'tags.0', 'A tag needs a name.'],
  [{ surprise: 1 }, undefined, /surprise/],
])('%j is not kept', async (wanted, field, message) => {
  const { product, acme, ana } = await setUp()

  const outcome = await product.insights.saved.create(
    acme.id,
    { name: 'Signups', question: signups, ...wanted },
    ana,
  )

  expect(outcome).toMatchObject({
    done: false,
    problems: [{ field, message: message instanceof RegExp ? expect.stringMatching(message) : message }],
  })
})

test('every change of what it says is a version, and each can be restored', async () => {
  const { product, acme, ana, ben, save, world } = await setUp()
  const { id } = await save()
  world.advance('1 hour')
  const longer = { ...signups, period: '90d' }
  await product.insights.saved.change(acme.id, id, { name: 'Signups of a quarter', question: longer }, ben)
  await product.insights.saved.change(acme.id, id, { folder: 'Growth', tags: ['board', 'board'] }, ben)

  const { versions } = requireDone(await product.insights.saved.versions(acme.id, id, ana))
  expect(versions).toMatchObject([
    { version: 2, name: 'Signups of a quarter', changedBy: 'Ben', question: { period: '90d' } },
    { version: 1, name: 'Signups', changedBy: 'Ana', question: { period: '30d' } },
  ])

  const { insight } = requireDone(await product.insights.saved.restoreVersion(acme.id, id, 1, ana))
  expect(insight).toMatchObject({
    version: 3,
    name: 'Signups',
    question: { period: '30d' },
    folder: 'Growth',
  })
  expect(requireDone(await product.insights.saved.versions(acme.id, id, ana)).versions).toHaveLength(3)
  expect(await product.insights.saved.restoreVersion(acme.id, id, 9, ana)).toMatchObject({
    problems: [{ message: 'There is no version 9 of this insight.' }],
  })
})

test.each([
  [{}, ['Paths of readers', 'Signups']],
  [{ search: 'SIGN' }, ['Signups']],
  [{ search: 'board read' }, ['Paths of readers']],
  [{ search: 'nothing like it' }, []],
  [{ folder: 'Blog' }, ['Paths of readers']],
  [{ folder: '' }, ['Signups']],
  [{ tag: 'board' }, ['Paths of readers']],
  [{ kind: 'trend' }, ['Signups']],
  [{ favourites: 'true' }, ['Signups']],
  [{ archived: true }, ['Old']],
])('the list narrowed to %j', async (search, names) => {
  const { product, acme, ana, ben, save } = await setUp()
  const { saved: savedInsights } = product.insights
  const { id } = await save()
  await save({ name: 'Paths of readers', question: { kind: 'stickiness' }, folder: 'Blog', tags: ['board'] })
  const old = await save({ name: 'Old' })
  await savedInsights.archive(acme.id, old.id, {}, ana)
  await savedInsights.setFavourite(acme.id, id, true, ana)

  const { insights } = requireDone(await savedInsights.list(acme.id, search, ana))
  expect(insights.map(({ name }) => name).toSorted()).toEqual(names)
  expect(requireDone(await savedInsights.list(acme.id, { favourites: true }, ben)).insights).toEqual([])
})

test('what a dashboard shows is archived only by someone who was told so, and comes back', async () => {
  const { product, acme, ana, save } = await setUp()
  const { saved: savedInsights } = product.insights
  const { id } = await save()
  savedInsights.usedBy(async (_project, insight) =>
    insight === id ? [{ kind: 'dashboard', name: 'Board meeting' }] : [],
  )

  expect(await savedInsights.archive(acme.id, id, {}, ana)).toEqual({
    done: false,
    problems: [
      {
        field: 'anyway',
        message: 'It is used on the dashboard “Board meeting”. Remove it there, or archive it anyway.',
      },
    ],
  })
  await savedInsights.archive(acme.id, id, { anyway: true }, ana)
  expect(requireDone(await savedInsights.list(acme.id, {}, ana)).insights).toEqual([])
  expect(await savedInsights.find(acme.id, id, ana)).toMatchObject({ archivedAt: expect.any(Date) })
  await savedInsights.restore(acme.id, id, ana)
  expect(requireDone(await savedInsights.list(acme.id, {}, ana)).insights).toHaveLength(1)
})

test('a copy is another insight', async () => {
  const { product, acme, ana, save } = await setUp()
  const { id } = await save({ folder: 'Growth' })

  const { insight } = requireDone(await product.insights.saved.duplicate(acme.id, id, ana))

  expect(insight).toMatchObject({ name: 'Signups (copy)', folder: 'Growth', version: 1 })
  expect(insight.id).not.toBe(id)
})

test('a look at it is noted, once a minute, and only when it was a person', async () => {
  const { product, acme, ana, save, world } = await setUp()
  const insight = await save()
  const viewed = async () => (await product.insights.saved.find(acme.id, insight.id, ana))?.viewedAt

  await product.insights.saved.noteViewed(insight, { kind: 'operator', name: 'shell', origin: ana.origin })
  expect(await viewed()).toBeUndefined()
  await product.insights.saved.noteViewed(insight, ana)
  expect(await viewed()).toEqual(world.now())
})

test('another project knows nothing of it', async () => {
  const { product, aProject, aMember, signedIn, save } = await setUp()
  const { id } = await save()
  const other = await aProject({ name: 'Other' })
  const stan = await signedIn(await aMember({ role: 'owner', project: other, name: 'Stan' }))
  const { saved: savedInsights } = product.insights

  expect(await savedInsights.find(other.id, id, stan)).toBeUndefined()
  expect(await savedInsights.change(other.id, id, { name: 'Mine' }, stan)).toMatchObject({ done: false })
  expect(await savedInsights.versions(other.id, id, stan)).toMatchObject({ done: false })
})
