import { expect, test } from 'vitest'
import { aWorld } from '#test/product/fixture'
import { type CachedLookup, StaleWhileRevalidate } from './stale-while-revalidate'

interface Seen {
  looks: number
}

const second = 1000

/** A thing that can be looked at, counting how often it was. */
function aThing(more: Partial<CachedLookup<Seen>> = {}, patience = 20) {
  const world = aWorld()
  const glances = new StaleWhileRevalidate<Seen>(world, patience)
  const state = { looks: 0, look: async (): Promise<Seen> => ({ looks: state.looks }) }
  const glance: CachedLookup<Seen> = {
    freshForMs: 10 * second,
    staleForMs: 60 * second,
    load: () => {
      state.looks++
      return state.look()
    },
    fallback: { looks: 0 },
    ...more,
  }
  return { world, state, at: () => glances.read('it', glance) }
}

const away = () => Promise.reject(new Error('nobody is there'))
const never = () => new Promise<Seen>(() => {})

test('one reading serves all concurrent callers, and later ones until it is stale', async () => {
  const { at, state, world } = aThing()
  expect(await Promise.all([at(), at(), at()])).toEqual([{ looks: 1 }, { looks: 1 }, { looks: 1 }])
  world.advance('9 seconds')
  expect(await at()).toEqual({ looks: 1 })
  world.advance('2 seconds')
  expect(await at()).toEqual({ looks: 2 })
  expect(state.looks).toBe(2)
})

test('without a reachable source the caller is answered at once, and the source is not asked again at once', async () => {
  const { at, state, world } = aThing()
  state.look = away
  expect(await at()).toEqual({ looks: 0 })
  expect(await at()).toEqual({ looks: 0 })
  expect(state.looks).toBe(1)
  world.advance('6 seconds')
  state.look = async () => ({ looks: 7 })
  expect(await at()).toEqual({ looks: 7 })
})

test('what is known is better than nothing for a while, and then it is not', async () => {
  const { at, state, world } = aThing()
  expect(await at()).toEqual({ looks: 1 })
  state.look = away
  world.advance('59 seconds')
  expect(await at()).toEqual({ looks: 1 })
  world.advance('6 seconds')
  expect(await at()).toEqual({ looks: 0 })
})

test('no caller waits for a reading that takes long', async () => {
  const { at, state } = aThing()
  state.look = never
  expect(await at()).toEqual({ looks: 0 })
  expect(await at()).toEqual({ looks: 0 })
  expect(state.looks).toBe(1)
})

test('a reading that took too long serves the next caller', async () => {
  const { at, state } = aThing()
  const { promise, resolve } = Promise.withResolvers<Seen>()
  state.look = () => promise
  expect(await at()).toEqual({ looks: 0 })
  resolve({ looks: 7 })
  expect(await at()).toEqual({ looks: 7 })
  expect(state.looks).toBe(1)
})
