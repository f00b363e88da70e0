import { expect, test } from 'vitest'
import { seededRandom } from '../random/seeded-random'
import { boundsOf, simulations } from './simulate/simulations'

/** Few; `npm run test:deep -- simulate` has as many as there is time for. */
const experiments = 400

test.each(simulations)('$name', (simulation) => {
  const [least, most] = boundsOf(simulation, experiments)
  const result = simulation.run(experiments, seededRandom(11))
  expect(result).toBeGreaterThanOrEqual(least)
  expect(result).toBeLessThanOrEqual(most)
})
