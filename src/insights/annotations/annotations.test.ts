import { expect, test } from 'vitest'
import { openTestProduct, requireDone, problemMessages } from '#test/product/fixture'
import { operator } from '#projects/access'

const viewer = operator()
const at = '2026-03-01T10:00:00Z'

async function someAnnotations() {
  const fixture = await openTestProduct()
  await fixture.aProject()
  const { annotations } = fixture.product.insights
  const add = async (more: object) =>
    requireDone(await annotations.create(1, { at, ...more }, viewer)).annotation
  return { ...fixture, annotations, add }
}

test.each([
  // the place of the charts, and the notes on them
  [{}, ['Released']],
  [{ insight: 'i1' }, ['Released', 'Renamed']],
  [{ insight: 'i2' }, ['Released']],
  [{ dashboard: 'd1' }, ['Released', 'Redrawn']],
  [{ insight: 'i1', dashboard: 'd1' }, ['Released', 'Renamed', 'Redrawn']],
])('on %j is written %j', async (looked, texts) => {
  const { annotations, add } = await someAnnotations()
  await add({ text: 'Released' })
  await add({ text: 'Renamed', scope: 'insight', subject: 'i1' })
  await add({ text: 'Redrawn', scope: 'dashboard', subject: 'd1' })
  const notes = await annotations.notesFor(1, looked, viewer)

  expect(notes.map(({ label }) => label).toSorted()).toEqual(texts.toSorted())
})

test('an annotation is changed and removed, the latest first in the list', async () => {
  const { annotations, add } = await someAnnotations()
  const first = await add({ text: 'First' })
  await add({ text: 'Second', at: '2026-03-01T12:00:00+01:00' })
  requireDone(
    await annotations.change(1, first.id, { text: 'Once more', at: '2026-03-02T10:00:00Z' }, viewer),
  )
  const changed = await annotations.list(1, viewer)
  requireDone(await annotations.remove(1, first.id, viewer))

  expect(changed.map(({ text, at: when }) => [text, when.toISOString()])).toEqual([
    ['Once more', '2026-03-02T10:00:00.000Z'],
    ['Second', '2026-03-01T11:00:00.000Z'],
  ])
  expect((await annotations.list(1, viewer)).map(({ text }) => text)).toEqual(['Second'])
})

test.each([
  [{ text: '' }, 'Describe what happened.'],
  [{ text: 'a', at: 'yesterday' }, 'Give the time as "2026-03-02T10:00:00Z".'],
  [{ text: 'a', scope: 'insight' }, 'Name the insight or dashboard it belongs to.'],
  [{ text: 'a', subject: 'i1' }, 'Name the insight or dashboard it belongs to.'],
  [{ text: 'x'.repeat(201) }, 'Use at most 200 characters.'],
])('%j is refused: %s', async (more, sentence) => {
  const { annotations } = await someAnnotations()
  expect(problemMessages(await annotations.create(1, { at, ...more }, viewer))).toEqual([sentence])
})

test('another project knows nothing of it', async () => {
  const { annotations, add, aProject } = await someAnnotations()
  const mine = await add({ text: 'Mine' })
  const other = await aProject({ name: 'Other' })

  expect(await annotations.list(other.id, viewer)).toEqual([])
  expect(problemMessages(await annotations.remove(other.id, mine.id, viewer))).toEqual([
    'There is no such annotation in this project.',
  ])
})
