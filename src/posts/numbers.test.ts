import { expect, onTestFinished, test } from 'vitest'
import { aFolder, aWorld, requireDone, problemMessages } from '#test/product/fixture'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import { type Engine, EngineError } from '#engine/engine'
import { operator } from '#projects/access'
import { openProduct } from '#server/product'

const testEngine = anEngine()
const you = operator()

const day = 24 * 60

const opens = (
  person: string,
  path: string,
  at: number,
  more: Partial<TestEvent['columns']> = {},
): TestEvent => ({
  person,
  event: '$pageview',
  at,
  columns: { path, ...more },
})
const reads = (person: string, path: string, at: number, depth = 90, engaged_ms = 60_000): TestEvent => ({
  person,
  event: '$engagement',
  at,
  columns: { path, scroll_depth: depth, engaged_ms },
})
const buys = (person: string, at: number, revenue: number): TestEvent => ({
  person,
  event: 'bought',
  at,
  columns: { revenue },
})
const tellsOfTrial = (person: string, event: string, variant: string, at: number): TestEvent => ({
  person,
  event,
  at,
  columns: { lib: 'tilth-site' },
  properties: { $feature_flag: 'post-1-1', $feature_flag_response: variant },
})
const shown = (person: string, variant: string, at: number) =>
  tellsOfTrial(person, '$feature_flag_called', variant, at)

/** A blog of two posts, "Hello" and "Привет", five days after they were published. */
async function setUp(events: readonly TestEvent[], query?: Engine['query']) {
  const number = await testEngine.addProject(events)
  const [world, folder] = [aWorld(`readers ${number}`), aFolder()]
  const product = await openProduct({ store: { folder }, world, engine: engineWith(query) })
  onTestFinished(() => product.close())
  // the engine's tables know the story by its number
  for (let i = 1; i < number; i++) await product.projects.create({ name: `Other ${i}` }, you)
  const { id } = requireDone(await product.projects.create({ name: 'Acme' }, you)).project
  const aPost = async (title: string) => {
    const { post } = requireDone(await product.posts.create(id, { title, body: 'Much to read.' }, you))
    return requireDone(await product.posts.publish(id, post.id, {}, you)).post
  }
  const [hello, other] = [await aPost('Hello'), await aPost('Привет')]
  await product.posts.published.caughtUp()
  const pass = (days: number) => world.advance(`${days} days`)
  return { id, product, world, numbers: product.posts.numbers, hello, other, pass }
}

/** The engine, which answers in another way where one is given. */
function engineWith(query: Engine['query'] | undefined): Engine {
  const engine = testEngine.engine()
  if (!query) return engine
  return new Proxy(engine, {
    get(target, name) {
      const found: unknown = name === 'query' ? query : Reflect.get(target, name)
      return typeof found === 'function' ? found.bind(target) : found
    },
  })
}

const other = '/blog/%D0%BF%D1%80%D0%B8%D0%B2%D0%B5%D1%82'

test('how a post was read, day by day', async () => {
  const { id, numbers, hello, pass } = await setUp([
    opens('ana', '/blog/hello', 0, { source: 'Google', channel: 'Organic Search' }),
    reads('ana', '/blog/hello', 1),
    opens('ben', '/blog/hello', day),
    opens('ana', other, 2),
  ])
  pass(2)
  const { numbers: figures } = requireDone(await numbers.of(id, hello, { period: '3d' }, you))
  expect(figures).toMatchObject({ views: 2, readers: 2, readThrough: 0.5, engagedMs: 60_000 })
  expect(figures.byDay.map(({ readers }) => readers)).toEqual([1, 1, 0])
  expect(problemMessages(await numbers.of(id, hello, { period: 'soon' }, you))).toHaveLength(1)
})

test('a post is known by the addresses it had, and by those that browsers make of other scripts', async () => {
  const stage = await setUp([
    opens('ana', '/blog/hello', 0),
    opens('ana', '/blog/welcome', 10),
    opens('ben', '/blog/welcome', 10),
    opens('cleo', other, 10),
  ])
  const { id, numbers, hello, product, pass } = stage
  const { post } = requireDone(await product.posts.change(id, hello.id, { slug: 'welcome' }, you))
  await product.posts.published.caughtUp()
  pass(1)
  const { readers } = requireDone(await numbers.list(id, '7d', you))
  expect(Object.fromEntries(readers)).toEqual({
    '/blog/welcome': { readers: 2, views: 3 },
    '/blog/привет': { readers: 1, views: 1 },
  })
  expect(requireDone(await numbers.of(id, post, {}, you)).numbers).toMatchObject({ views: 3, readers: 2 })
})

test('what reading led to, by a goal, by an event and by a funnel', async () => {
  const {
    id,
    numbers,
    product,
    hello,
    other: second,
    pass,
  } = await setUp([
    opens('ana', '/blog/hello', 0),
    opens('ana', other, 1),
    buys('ana', 2, 50),
    opens('ben', '/blog/hello', 0),
    buys('ben', 1, 20),
    buys('cleo', 0, 99),
  ])
  const { goal } = requireDone(
    await product.insights.goals.create(id, { name: 'Buys', goal: { type: 'event', event: 'bought' } }, you),
  )
  pass(1)
  const led = async (post: typeof hello, input: object) =>
    requireDone(await numbers.attributionFor(id, post, input, you)).led
  expect(await led(hello, { goal: goal.id })).toEqual({ persons: 1, revenue: 20 })
  expect(await led(second, { goal: goal.id })).toEqual({ persons: 1, revenue: 50 })
  expect(await led(hello, { goal: { type: 'revenue' }, attribution: 'first' })).toEqual({
    persons: 2,
    revenue: 70,
  })
  expect(await led(second, { goal: { type: 'revenue' }, attribution: 'first' })).toEqual({
    persons: 0,
    revenue: 0,
  })
  expect(await led(hello, { funnel: { steps: [{ event: 'bought' }] } })).toEqual({
    persons: 2,
    revenue: null,
  })
  expect(problemMessages(await numbers.attributionFor(id, hello, { goal: 'gone' }, you))).toEqual([
    'There is no such goal in this project. Choose another.',
  ])
  expect(problemMessages(await numbers.attributionFor(id, hello, {}, you))).toEqual([
    'Say what it may have led to: a goal or a funnel.',
  ])
})

test('who was shown what, who opened it then, and what is blocked', async () => {
  const { id, numbers, product, hello, pass } = await setUp([
    shown('ana', 'a', 1),
    shown('ben', 'b', 1),
    tellsOfTrial('ben', '$feature_flag_seen', 'b', 1),
    opens('ben', '/blog/hello', 2),
    reads('ben', '/blog/hello', 3),
    shown('cleo', 'b', 1),
    shown('cleo', 'a', 2),
  ])
  const { post } = requireDone(
    await product.posts.startTrial(id, hello.id, { variants: [{ title: 'Hi' }] }, you),
  )
  await product.posts.published.caughtUp()
  const { trial } = post
  if (!trial) throw new Error('It was not begun.')
  expect(trial.key).toBe('post-1-1')
  pass(1)
  expect(requireDone(await numbers.trial(id, trial, you)).trial).toEqual({
    variants: [
      { variant: 'a', shown: 1, clicks: 0, reads: 0 },
      { variant: 'b', shown: 1, clicks: 1, reads: 1 },
    ],
    sawSeveral: 1,
    verdict: { name: 'too-few', minimum: 100 },
  })
  expect(requireDone(await numbers.blocked(id, '7d', you)).blocked).toEqual({
    served: 3,
    seen: 1,
    share: 2 / 3,
    note: 'Of 3 visitors only: with more of them, this may be another number.',
  })
})

test('most read, and who is here now: for everyone, from memory', async () => {
  const requests: unknown[] = []
  const counting: Engine['query'] = (statement, limits) => {
    requests.push(statement)
    return testEngine.engine().query(statement, limits)
  }
  const { id, numbers, world } = await setUp(
    [
      opens('ana', '/blog/hello', -8 * day),
      opens('ana', other, 0),
      opens('ben', other, 1),
      opens('ben', '/blog/hello', 1),
      opens('ben', '/pricing', 1),
    ],
    counting,
  )
  world.advance('5 minutes')
  expect(await numbers.mostRead(id, 7, 10)).toEqual([
    { address: '/blog/привет', readers: 2 },
    { address: '/blog/hello', readers: 1 },
  ])
  expect(await numbers.mostRead(id, 7, 1)).toHaveLength(1)
  const [all, here, nowhere] = [undefined, '/blog/привет', '/blog/none']
  expect(await Promise.all([all, here, nowhere].map((one) => numbers.readersNow(id, one)))).toEqual([2, 2, 0])
  const before = requests.length
  world.advance('9 seconds')
  await Promise.all([numbers.mostRead(id, 7, 3), numbers.readersNow(id), numbers.readersNow(id, '/pricing')])
  expect(requests.length).toBe(before)

  world.advance('2 minutes')
  expect(await numbers.readersNow(id)).toBe(0)
  expect(requests.length).toBeGreaterThan(before)
})

test('while the engine is away, nothing is said of readers, and at once', async () => {
  const away = () => Promise.reject(new EngineError('unavailable', 'It is starting.'))
  const { id, numbers } = await setUp([], away)
  expect(await numbers.mostRead(id, 7, 10)).toEqual([])
  expect(await numbers.readersNow(id)).toBe(0)
})
