import { expect, test } from 'vitest'
import { StoreUnreachableError, StoreRefusedError } from './store'
import { waitForStore } from './wait-for-store'

const away = new StoreUnreachableError('Nothing answers there.')
const wrongPassword = new StoreRefusedError('The password is wrong.')
const broken = new Error('file is not a database')

/** A store that is looked at again and again, and each time is as the next of these says. */
async function waiting(failures: readonly (Error | undefined)[], canStandIn = true) {
  const looks = failures.values()
  const seen = { looks: 0, standsInFor: new Array<StoreUnreachableError>() }
  const ended = await waitForStore({
    everyMs: 1,
    tryStore: async () => {
      seen.looks++
      const { value: problem } = looks.next()
      if (problem) throw problem
    },
    startStandIn: async (problem) => {
      seen.standsInFor.push(problem)
      return canStandIn
    },
  }).then(
    () => 'answers' as const,
    (problem: unknown) => problem,
  )
  return { ...seen, ended }
}

test.each<[string, (Error | undefined)[], object]>([
  ['answers at once', [undefined], { looks: 1, standsInFor: [], ended: 'answers' }],
  ['is away for a while', [away, away, undefined], { looks: 3, standsInFor: [away], ended: 'answers' }],
  ['does not let us in', [wrongPassword], { looks: 1, standsInFor: [], ended: wrongPassword }],
  ['is broken', [broken], { looks: 1, standsInFor: [], ended: broken }],
  ['comes back and does not let us in', [away, wrongPassword], { looks: 2, ended: wrongPassword }],
])('a store that %s', async (_, failures, outcome) => {
  expect(await waiting(failures)).toMatchObject(outcome)
})

test('nothing is waited for where nothing can be answered meanwhile', async () => {
  expect(await waiting([away, undefined], false)).toMatchObject({ looks: 1, ended: away })
})
