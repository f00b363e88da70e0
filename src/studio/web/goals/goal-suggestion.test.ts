import { expect, test } from 'vitest'
import { paths } from '#studio/paths'
import { goalSuggestionIn } from './goal-suggestion'

const searchOf = (address: string) =>
  Object.fromEntries(new URL(address, 'https://tilth.example').searchParams)

test.each([
  [
    { name: 'Visits of /pricing', page: '/pricing' },
    { type: 'page', path: '/pricing' },
  ],
  [
    { name: 'signup', event: 'signup' },
    { type: 'event', event: 'signup' },
  ],
] as const)('the address of a new goal fills its form in: %j', (suggested, goal) => {
  expect(goalSuggestionIn(searchOf(paths.newGoal('shop', suggested)))).toEqual({ name: suggested.name, goal })
})

test('an address without a whole goal suggests none', () => {
  expect(goalSuggestionIn({ new: 'Sign-ups' })).toBeUndefined()
  expect(goalSuggestionIn({ page: '/pricing' })).toBeUndefined()
})
