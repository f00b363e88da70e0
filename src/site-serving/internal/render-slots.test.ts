import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RenderSlots } from './render-slots'

const limits = { atOnce: 2, busyAtOnce: 1, perPath: 1, waitingPerPath: 1, slowAfterMs: 1500, slowAtOnce: 2 }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function someSlots(isBusy = () => false) {
  const slots = new RenderSlots(isBusy, limits)
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  const render = (path: string, name = path) =>
    slots.run(path, () => {
      begun.push(name)
      const end = Promise.withResolvers<string>()
      ends.set(name, end)
      return end.promise
    })
  return {
    begun,
    render,
    end: (name: string) => ends.get(name)?.resolve(name),
    fail: (name: string) => ends.get(name)?.reject(new Error(name)),
  }
}

const turns = () => vi.advanceTimersByTimeAsync(0)

test('as many are rendered at once as there are slots, in their order', async () => {
  const { begun, render, end } = someSlots()
  const all = ['/a', '/b', '/c'].map((path) => render(path))
  await turns()
  expect(begun).toEqual(['/a', '/b'])
  end('/b')
  await turns()
  expect(begun).toEqual(['/a', '/b', '/c'])
  end('/a')
  end('/c')
  expect(await Promise.all(all)).toEqual(['/a', '/b', '/c'])
})

test('slow pages do not keep the others waiting', async () => {
  const { begun, render, end } = someSlots()
  const slow = [render('/slow'), render('/slower')]
  const other = render('/other')
  await turns()
  expect(begun).not.toContain('/other')
  await vi.advanceTimersByTimeAsync(1500)
  expect(begun).toContain('/other')
  end('/other')
  expect(await other).toBe('/other')
  end('/slow')
  end('/slower')
  expect(await Promise.all(slow)).toEqual(['/slow', '/slower'])
})

test('a process that is busy is given no more beside what it renders, however long that takes', async () => {
  let isBusy = true
  const { begun, render } = someSlots(() => isBusy)
  for (const path of ['/1', '/2', '/3']) void render(path)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(begun).toEqual(['/1'])
  isBusy = false
  await vi.advanceTimersByTimeAsync(1500)
  expect(begun).toEqual(['/1', '/2', '/3'])
})

test('only so many slow pages are rendered beside the others', async () => {
  const { begun, render } = someSlots()
  for (const path of ['/1', '/2', '/3', '/4', '/5']) void render(path)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(begun).toEqual(['/1', '/2', '/3', '/4'])
})

test('one path takes no more than its own slots, and refuses what would wait too long', async () => {
  const { begun, render, end } = someSlots()
  const first = render('/search', 'first')
  const second = render('/search', 'second')
  expect(await render('/search', 'third')).toBeUndefined()
  void render('/other')
  await turns()
  expect(begun).toEqual(['first', '/other'])
  end('first')
  await first
  await turns()
  expect(begun).toEqual(['first', '/other', 'second'])
  end('second')
  expect(await second).toBe('second')
})

test('a rendering that fails gives its slot back', async () => {
  const { begun, render, fail } = someSlots()
  const failing = render('/a').catch((problem: Error) => problem.message)
  void render('/b')
  void render('/c')
  await turns()
  fail('/a')
  expect(await failing).toBe('/a')
  await turns()
  expect(begun).toEqual(['/a', '/b', '/c'])
})
