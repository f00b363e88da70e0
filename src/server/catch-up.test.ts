import { expect, test } from 'vitest'
import { openTestProduct, requireDone } from '#test/fixture'
import { operator } from '#projects/access'

const viewer = operator('Ana')

test('a process that catches up shows a post in the same moment as the one that published it', async () => {
  const { product, anotherProcess, world, aProject } = await openTestProduct()
  const { id } = await aProject()
  const pages = await anotherProcess()
  const { post } = requireDone(await product.posts.create(id, { title: 'Hello', body: 'All.' }, viewer))
  requireDone(await product.posts.publish(id, post.id, {}, viewer))
  const titles = () => pages.published.posts(id, world.now()).map(({ title }) => title)

  await pages.catchUpTo(product.changeCount())
  expect(titles()).toEqual(['Hello'])
  expect(pages.changeCount()).toBe(product.changeCount())
})

test('a process that knows as much does not ask the store', async () => {
  const { product, database } = await openTestProduct()
  database((file) => file.exec('alter table changes rename to changes_away'))
  await product.catchUpTo(product.changeCount())
  expect(product.changeCount()).toBeGreaterThanOrEqual(0)
})
