import { expect, test } from 'vitest'
import { openTestProduct, requireDone } from '#test/product/fixture'
import { operator } from '#projects/access'

const viewer = operator('Ana')

test('a process that catches up shows a post in the same moment as the one that published it', async () => {
  const { product, anotherProcess, world, aProject } = await openTestProduct()
  const { id } = await aProject()
  const pages = await anotherProcess()
  const { post } = requireDone(await product.posts.create(id, { title: 'Hello', body: 'All.' }, viewer))
  requireDone(await product.posts.publish(id, post.id, {}, viewer))
  const titles = () => pages.posts.published.posts(id, world.now()).map(({ title }) => title)

  await pages.changes.catchUpTo(product.changes.count())
  expect(titles()).toEqual(['Hello'])
  expect(pages.changes.count()).toBe(product.changes.count())
})

test('a process that knows as much does not ask the store', async () => {
  const { product, database } = await openTestProduct()
  database((file) => file.exec('alter table changes rename to changes_away'))
  await product.changes.catchUpTo(product.changes.count())
  expect(product.changes.count()).toBeGreaterThanOrEqual(0)
})
