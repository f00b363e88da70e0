import { describe, expect, test } from 'vitest'
import { openTestProduct, requireDone, type TestProduct, problemMessages } from '#test/product/fixture'
import { describeOnPostgres } from '#test/outside/postgres'
import { operator } from '#projects/access'

const ana = operator('Ana')
const thanks = { name: ' Ben ', text: ' Thank you.\n\nI did not know. ' }

async function aLife(begin: () => Promise<TestProduct>): Promise<void> {
  const { product, aProject, world } = await begin()
  const { id: projectId } = await aProject()
  const post = { projectId, id: 'file:posts/hello.md', allowsComments: true }
  const { comments } = product.posts

  const { comment } = requireDone(await comments.write(post, thanks))
  expect(comment).toMatchObject({ name: 'Ben', text: 'Thank you.\n\nI did not know.', state: 'waiting' })
  expect(await comments.below(post)).toEqual([])
  expect(await comments.list(projectId, { state: 'waiting' }, ana)).toEqual([comment])

  requireDone(await comments.decide(projectId, comment.id, { state: 'shown' }, ana))
  world.advance('1 minute')
  const later = requireDone(await comments.write(post, { ...thanks, text: 'Once more.' })).comment
  requireDone(await comments.decide(projectId, later.id, { state: 'shown' }, ana))
  expect((await comments.below(post)).map(({ text }) => text)).toEqual([comment.text, 'Once more.'])
  expect(await comments.below({ ...post, allowsComments: false })).toEqual([])
  expect(await comments.below({ ...post, id: '2' })).toEqual([])
  expect(await comments.counts(projectId, ana)).toEqual({ waiting: 0, shown: 2, hidden: 0 })

  requireDone(await comments.remove(projectId, later.id, ana))
  requireDone(await comments.decide(projectId, comment.id, { state: 'hidden' }, ana))
  expect(await comments.below(post)).toEqual([])
  expect(problemMessages(await comments.remove(projectId, later.id, ana))).toEqual([
    'The comment was deleted.',
  ])
}

const commentText = 'a comment is read by a member before anybody else'

describe('comments on SQLite', () => test(commentText, () => aLife(openTestProduct)))
describeOnPostgres('comments', (emptyDatabase) =>
  test(commentText, () => aLife(async () => openTestProduct({ url: await emptyDatabase() }))),
)

test.each([
  [{ name: '', text: 'Hello' }, 'Enter your name.'],
  [{ name: 'Ben', text: '   ' }, 'Enter a comment.'],
  [{ name: 'Ben', text: 'x'.repeat(5001) }, 'Use at most 5,000 characters.'],
  [{ name: 'B\nen', text: 'Hello' }, 'Leave out characters that cannot be seen.'],
  [{ text: 'Hello' }, 'Enter your name.'],
])('%j is answered by what to fix', async (input, says) => {
  const { product, aProject } = await openTestProduct()
  const { id: projectId } = await aProject()
  const post = { projectId, id: '1', allowsComments: true }
  expect(problemMessages(await product.posts.comments.write(post, input))).toEqual([says])
})

test('nothing can be written below a post that does not ask for it', async () => {
  const { product, aProject } = await openTestProduct()
  const { id: projectId } = await aProject()
  const post = { projectId, id: '1', allowsComments: false }
  expect(problemMessages(await product.posts.comments.write(post, thanks))).toEqual([
    'This post has no comments.',
  ])
})
