import { expect, test } from 'vitest'
import { testSeed } from '../random/chance'
import { crash } from './crashlab/lab'
import { breakProduct } from './crashlab/product-lab'
import { crashTogether } from './crashlab/shared-lab'

// each is a small sample of what `npm run test:deep -- crashlab` does for as long as it is told

test('C1: killed with -9 over and over, it has every acknowledged event, once', async () => {
  const { rounds, acknowledged, lost, twice, toldWrongly, quarantined } = await crash({
    seed: testSeed,
    rounds: { remote: 3, embedded: 1 },
  })

  const wrong = { lost, twice, toldWrongly, quarantined }
  expect({ seed: testSeed, ...wrong }).toEqual({
    seed: testSeed,
    lost: [],
    twice: [],
    toldWrongly: [],
    quarantined: 0,
  })
  expect(rounds).toBeGreaterThanOrEqual(4)
  expect(acknowledged).toBeGreaterThan(50)
})

test('two fronts store every acknowledged event once and keep sessions whole while parts are killed', async () => {
  const { acknowledged, lost, twice, torn } = await crashTogether({ seed: testSeed, rounds: 3 })

  expect({ seed: testSeed, lost, twice, torn }).toEqual({ seed: testSeed, lost: [], twice: [], torn: [] })
  expect(acknowledged).toBeGreaterThan(80)
})

/** Processes that die or stand still, and a store that goes away. The deep run adds those of the disk and the clock. */
const productFaults = [
  'front killed',
  'front told to end',
  'pages killed',
  'engine killed',
  'front stopped',
  'pages stopped',
  'engine stopped',
  'store away',
]

test('whatever is killed or stopped, the whole product stores what it acknowledged, once, and goes on answering', async () => {
  const { failures, acknowledged, answered, faults } = await breakProduct({
    seed: testSeed,
    seconds: 30,
    only: productFaults,
  })

  expect({ seed: testSeed, failures }).toEqual({ seed: testSeed, failures: [] })
  expect(acknowledged).toBeGreaterThan(100)
  expect(Math.min(answered.flags, answered.site, faults.length)).toBeGreaterThan(0)
})
