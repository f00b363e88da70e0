import { expect, test } from 'vitest'
import { activationOf, deferred } from './deferred'

test('is fetched once, when it is first needed', async () => {
  let fetched = 0
  const menu = deferred(async () => `menu ${(fetched += 1)}`)
  expect(menu.loaded()).toBeUndefined()
  expect(fetched).toBe(0)

  expect(await Promise.all([menu.load(), menu.load()])).toEqual(['menu 1', 'menu 1'])
  expect(menu.loaded()).toBe('menu 1')
  expect(fetched).toBe(1)
})

test('is asked for again after a failure', async () => {
  const answers = [Promise.reject(new Error('offline')), Promise.resolve('menu')]
  const menu = deferred(() => answers.shift() ?? Promise.reject(new Error('asked too often')))
  await expect(menu.load()).rejects.toThrow('offline')
  expect(await menu.load()).toBe('menu')
})

test('a click without a pointer was made by keyboard', () => {
  expect(activationOf({ detail: 0 })).toEqual({ by: 'keyboard' })
  expect(activationOf({ detail: 1 })).toEqual({ by: 'pointer' })
})
