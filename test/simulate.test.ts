import { expect, test } from 'vitest'
import { seededRandom } from './seeded-random'
import { simulations } from './simulate/simulations'

/** Few experiments, so the bounds are wider by what chance allows them; `npm run simulate` has the full number. */
const experiments = 400

test.each(simulations)('$name', ({ run, least, most }) => {
  const middle = Math.max(least, Math.min(most, (least + most) / 2)) / 100
  const chance = 4 * 100 * Math.sqrt((middle * (1 - middle)) / experiments)
  const result = run(experiments, seededRandom(11))
  expect(result).toBeGreaterThanOrEqual(least - chance)
  expect(result).toBeLessThanOrEqual(most + chance)
})
