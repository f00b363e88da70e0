import { expect, onTestFinished, test } from 'vitest'
import { seededRandom } from '#test/random/seeded-random'
import { aFolder, aWorld, requireDone, present } from '#test/product/fixture'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import { operator } from '#projects/access'
import { openProduct, type Product } from '#server/product'
import { concludeTrials } from './trial-jobs'

const testEngine = anEngine()
const you = operator('You')

/** So many a minute see the list with one of the variants, and open the post as often as they like that one. */
function crowd(shares: Readonly<Record<string, number>>, persons: number): TestEvent[] {
  const chance = seededRandom(3)
  const keys = Object.keys(shares)
  return Array.from({ length: persons }, (_, i) => {
    const variant = keys[Math.floor(chance() * keys.length)] ?? ''
    const view: TestEvent = {
      person: `visitor ${i}`,
      event: '$feature_flag_called',
      at: i / 10,
      columns: { lib: 'tilth-site' },
      properties: { $feature_flag: 'post-1-1', $feature_flag_response: variant },
    }
    const opening: TestEvent = {
      person: `visitor ${i}`,
      event: '$pageview',
      at: i / 10 + 0.05,
      columns: { path: '/blog/hello' },
    }
    return chance() < (shares[variant] ?? 0) ? [view, opening] : [view]
  }).flat()
}

async function setUp(events: readonly TestEvent[]) {
  const number = await testEngine.addProject(events)
  const [world, folder] = [aWorld(`trial ${number}`), aFolder()]
  const product = await openProduct({ store: { folder }, world, engine: testEngine.engine() })
  onTestFinished(() => product.close())
  // the engine's tables know the story by its number
  for (let i = 1; i < number; i++) await product.projects.create({ name: `Other ${i}` }, you)
  const { id } = requireDone(await product.projects.create({ name: 'Acme' }, you)).project
  const { post } = requireDone(await product.posts.create(id, { title: 'Hello', body: 'Much to read.' }, you))
  requireDone(await product.posts.publish(id, post.id, {}, you))
  requireDone(await product.posts.startTrial(id, post.id, { variants: [{ title: 'Hi' }] }, you))
  await product.posts.published.caughtUp()
  const look = async () => {
    await concludeTrials({ ...partsOf(product), world })
    await product.posts.published.caughtUp()
    return present(await product.posts.find(id, post.id, you))
  }
  return { id, product, world, look }
}

test('the better title wins by itself once it is sure, and the post has it', async () => {
  const { look, world, product, id } = await setUp(crowd({ a: 0.1, b: 0.3 }, 2000))
  world.advance('5 minutes')
  expect(await look()).toMatchObject({ title: 'Hello', trial: { state: { name: 'running' } } })
  world.advance('200 minutes')
  expect(await look()).toMatchObject({
    title: 'Hi',
    trial: { state: { name: 'won', winner: 'b', by: 'trial' } },
  })
  expect(product.posts.published.trials(id)).toEqual([])
})

test('what makes no difference ends after sixty days, and the post stays as it is', async () => {
  const { look, world } = await setUp(crowd({ a: 0.1, b: 0.1 }, 2000))
  world.advance('59 days')
  expect(await look()).toMatchObject({ trial: { state: { name: 'running' } } })
  world.advance('1 day')
  expect(await look()).toMatchObject({ title: 'Hello', trial: { state: { name: 'stopped', by: 'trial' } } })
})

test('a trial that was stopped while it was looked at is left alone', async () => {
  const { product, world, id } = await setUp(crowd({ a: 0.1, b: 0.3 }, 2000))
  world.advance('200 minutes')
  await concludeTrials({
    ...partsOf(product),
    world,
    postNumbers: {
      trial: async (...asked) => {
        const found = await product.posts.numbers.trial(...asked)
        expect(requireDone(found).trial.verdict.name).toBe('won')
        requireDone(await product.posts.stopTrial(id, '1', you))
        requireDone(await product.posts.startTrial(id, '1', { variants: [{ title: 'Hey' }] }, you))
        return found
      },
    },
  })
  const post = present(await product.posts.find(id, '1', you))
  expect(post).toMatchObject({ title: 'Hello', trial: { key: 'post-1-2', state: { name: 'running' } } })
})

test('one trial that cannot be looked at keeps none of the others from it', async () => {
  const { product, world, id } = await setUp(crowd({ a: 0.1, b: 0.3 }, 2000))
  const second = requireDone(await product.posts.create(id, { title: 'Second' }, you)).post
  requireDone(await product.posts.publish(id, second.id, {}, you))
  requireDone(await product.posts.startTrial(id, second.id, { variants: [{ title: '2nd' }] }, you))
  await product.posts.published.caughtUp()
  world.advance('200 minutes')
  const looked = concludeTrials({
    ...partsOf(product),
    world,
    postNumbers: {
      trial: async (project, trial, viewer) => {
        if (trial.key !== 'post-1-1') throw new Error('nobody is there')
        return await product.posts.numbers.trial(project, trial, viewer)
      },
    },
  })
  await expect(looked).rejects.toThrow('Some trials of posts could not be looked at.')
  expect(await product.posts.find(id, '1', you)).toMatchObject({ title: 'Hi' })
})

const partsOf = ({ projects, posts }: Product) => ({
  projects,
  posts,
  published: posts.published,
  postNumbers: posts.numbers,
})
