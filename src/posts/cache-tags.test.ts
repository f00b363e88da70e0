import { expect, test } from 'vitest'
import { operator } from '#projects/access'
import { openTestProduct, problemMessages, requireDone } from '#test/product/fixture'

const you = operator('Ana')

async function aSite() {
  const { aProject, product } = await openTestProduct()
  const { id } = await aProject()
  const { cacheTags } = product.posts
  return {
    id,
    cacheTags,
    revalidate: (input: unknown) => cacheTags.revalidate(id, input, you),
    /** The part of a page that has a tag, as it is rendered now. */
    partOf: (tag: string) => cacheTags.partsNow(id)(tag),
    isFresh: ([part, fingerprint]: [string, string]) => cacheTags.fingerprint(id, part) === fingerprint,
  }
}

test('a page with a tag is fresh until the tag is revalidated, and once more when it is rendered again', async () => {
  const { id, cacheTags, revalidate, partOf, isFresh } = await aSite()
  const changed: number[] = []
  cacheTags.onChange((projectId) => changed.push(projectId))
  const [jobs, team] = [partOf('jobs'), partOf('team')]
  expect([isFresh(jobs), isFresh(team)]).toEqual([true, true])

  requireDone(await revalidate({ tags: ['jobs'] }))
  expect([isFresh(jobs), isFresh(team)]).toEqual([false, true])
  expect(changed).toEqual([id])

  const again = partOf('jobs')
  expect(isFresh(again)).toBe(true)
  requireDone(await revalidate({ tags: ['jobs'] }))
  expect(isFresh(again)).toBe(false)
})

test('a path is written in any of its forms', async () => {
  const { revalidate, partOf, isFresh } = await aSite()
  const page = partOf('/jobs/gärtner')
  requireDone(await revalidate({ paths: ['/jobs/g%C3%A4rtner/?page=2'] }))
  expect(isFresh(page)).toBe(false)
})

test('pages of tags that are no longer remembered are rendered once more', async () => {
  const { revalidate, partOf, isFresh, cacheTags, id } = await aSite()
  const page = partOf('jobs')
  requireDone(await revalidate({ tags: ['jobs'] }))
  for (let begin = 0; begin < 4200; begin += 100)
    requireDone(await revalidate({ tags: Array.from({ length: 100 }, (_, n) => `tag ${begin + n}`) }))
  expect(cacheTags.versions(id).has('jobs')).toBe(false)
  expect(cacheTags.versions(id).size).toBeLessThan(4200)
  expect([isFresh(page), isFresh(partOf('jobs'))]).toEqual([false, true])
})

test.each([
  [{}, ['Name at least one tag or path.']],
  [{ tags: ['/jobs'] }, ['A path belongs into "paths".']],
  [{ paths: ['jobs'] }, ['Begin with "/": it is a path of this site.']],
  [{ paths: ['//example.com'] }, ['Begin with "/": it is a path of this site.']],
  [{ tags: Array.from({ length: 101 }, (_, n) => `tag ${n}`) }, ['Name at most 100 at once.']],
])('a revalidation of %j is refused', async (input, messages) => {
  const { revalidate } = await aSite()
  expect(problemMessages(await revalidate(input))).toEqual(messages)
})
