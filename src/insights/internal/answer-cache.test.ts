import { expect, test } from 'vitest'
import { AnswerCache } from './answer-cache'

function aCache(isLasting?: (value: { text: string }) => boolean) {
  let now = new Date('2026-03-02T10:00:00Z')
  const requests: string[] = []
  const cache = new AnswerCache<{ text: string }>(() => now, isLasting)
  const answering =
    (text: string, work: () => Promise<unknown> = () => Promise.resolve()) =>
    async () => {
      requests.push(text)
      await work()
      return { text }
    }
  const after = (ms: number) => {
    now = new Date(now.getTime() + ms)
  }
  return { cache, requests, answering, after }
}

/** Long enough that an answer is worth keeping; what is dear is measured on the real clock. */
async function hardWork(): Promise<void> {
  const until = performance.now() + 5
  while (performance.now() < until) await Promise.resolve()
}

test('an answer that was dear is given again', async () => {
  const { cache, requests, answering } = aCache()

  const first = await cache.find('q', answering('one', hardWork), false)
  const second = await cache.find('q', answering('two', hardWork), false)

  expect(second).toBe(first)
  expect(requests).toEqual(['one'])
})

test('an answer is good for twenty times as long as it took', async () => {
  const { cache, answering, after } = aCache()
  const { tookMs } = await cache.find('q', answering('one', hardWork), false)

  after(Math.floor(tookMs * 20) - 1)
  expect((await cache.find('q', answering('two', hardWork), false)).value.text).toBe('one')
  after(2)
  expect((await cache.find('q', answering('three', hardWork), false)).value.text).toBe('three')
})

test('no answer is older than a minute', async () => {
  const { cache, requests, answering, after } = aCache()
  await cache.find('q', answering('one', hardWork), false)

  after(60_000)
  await cache.find('q', answering('two'), false)

  expect(requests).toEqual(['one', 'two'])
})

test('answers take no more memory than they may: the oldest go, and one that is too large is not kept', async () => {
  let found = 0
  const cache = new AnswerCache<{ text: string }>(() => new Date(), undefined, 10_000)
  const ask = async (key: string, letters: number) =>
    await cache.find(
      key,
      async () => {
        found++
        await hardWork()
        return { text: 'x'.repeat(letters) }
      },
      false,
    )
  for (const key of ['a', 'b', 'c']) await ask(key, 4000)
  await ask('c', 4000)
  expect(found).toBe(3)
  await ask('a', 4000)
  expect(found).toBe(4)

  const large = await ask('large', 20_000)
  expect([large.value.text.length, found]).toEqual([20_000, 5])
  await ask('large', 20_000)
  expect(found).toBe(6)
  // it did not take the place of others
  await ask('a', 4000)
  expect(found).toBe(6)
})

test('a caller who wants a fresh answer gets one, and everyone after gets that', async () => {
  const { cache, answering } = aCache()
  await cache.find('q', answering('one', hardWork), false)

  const fresh = await cache.find('q', answering('two', hardWork), true)
  const next = await cache.find('q', answering('three', hardWork), false)

  expect([fresh.value.text, next.value.text]).toEqual(['two', 'two'])
})

test('callers who ask the same at the same time wait for the same answer', async () => {
  const { cache, requests, answering } = aCache()
  const { promise, resolve } = Promise.withResolvers<void>()

  const both = Promise.all(
    ['one', 'two'].map((text) =>
      cache.find(
        'q',
        answering(text, () => promise),
        false,
      ),
    ),
  )
  resolve()

  expect((await both).map(({ value }) => value.text)).toEqual(['one', 'one'])
  expect(requests).toEqual(['one'])
})

test('different queries have different answers', async () => {
  const { cache, answering } = aCache()

  await cache.find('q', answering('one', hardWork), false)

  expect((await cache.find('other', answering('two', hardWork), false)).value.text).toBe('two')
})

test('what failed is not kept', async () => {
  const { cache, answering } = aCache()
  const fails = async () => {
    await hardWork()
    throw new Error('The engine is away.')
  }

  await expect(cache.find('q', fails, false)).rejects.toThrow('The engine is away.')

  expect((await cache.find('q', answering('two'), false)).value.text).toBe('two')
})

test('who waits for an answer that someone else gave up gets it all the same', async () => {
  const { cache, requests, answering } = aCache()
  const { promise, reject } = Promise.withResolvers<void>()

  const first = cache.find(
    'q',
    answering('one', () => promise),
    false,
  )
  const others = ['two', 'three'].map((text) => cache.find('q', answering(text, hardWork), false))
  reject(new Error('The page was closed.'))

  await expect(first).rejects.toThrow('The page was closed.')
  expect((await Promise.all(others)).map(({ value }) => value.text)).toEqual(['two', 'two'])
  expect(requests).toEqual(['one', 'two'])
})

test('who asks afresh does not get what someone else is waiting for', async () => {
  const { cache, requests, answering } = aCache()
  const { promise, resolve } = Promise.withResolvers<void>()

  const first = cache.find(
    'q',
    answering('one', () => promise),
    false,
  )
  const fresh = cache.find('q', answering('two'), true)
  resolve()

  expect([(await first).value.text, (await fresh).value.text]).toEqual(['one', 'two'])
  expect(requests).toEqual(['one', 'two'])
})

test('an answer that says nothing yet is computed again', async () => {
  const { cache, requests, answering } = aCache(({ text }) => text !== 'empty')

  await cache.find('q', answering('empty', hardWork), false)
  const next = await cache.find('q', answering('one', hardWork), false)

  expect(next.value.text).toBe('one')
  expect(requests).toEqual(['empty', 'one'])
})

test('the answers of a page expire together, with the one that is kept longest', async () => {
  const { cache, answering, after } = aCache()
  const page = async (words: string) => {
    const shownIn = cache.group('web')
    const { tookMs } = await cache.find('dear', answering(`dear ${words}`, hardWork), false, shownIn)
    after(1)
    const quick = await cache.find('quick', answering(`quick ${words}`), false, shownIn)
    const dear = await cache.find('dear', answering(`dear ${words}`, hardWork), false, shownIn)
    return { texts: [dear.value.text, quick.value.text], tookMs }
  }

  const { texts, tookMs } = await page('at first')
  expect(texts).toEqual(['dear at first', 'quick at first'])
  after(Math.floor(tookMs * 20) - 3)
  expect((await page('later')).texts).toEqual(['dear at first', 'quick at first'])
  after(3)
  expect((await page('in the end')).texts).toEqual(['dear in the end', 'quick in the end'])
})

test('a page keeps the answers that it began with, also when they expire meanwhile', async () => {
  const { cache, answering, after } = aCache()
  const shownIn = cache.group('web')
  await cache.find('q', answering('one', hardWork), false, shownIn)

  after(59_000)
  const same = await cache.find('q', answering('two', hardWork), false, shownIn)

  expect(same.value.text).toBe('one')
})
