import { expect, test } from 'vitest'
import { breakProduct } from './crashlab/product-lab'

const minute = 60_000

/** How long the whole product is harmed here; `npm run crashlab` takes as long as it is told. */
const productSeconds = 120

/** Processes that die or stand still, and a store that goes away. `npm run crashlab` has those of the disk and the clock too. */
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

test(
  'whatever is killed or stopped, the whole product stores what it acknowledged, once, and goes on answering',
  // what follows the faults waits for conditions, and takes as long as a busy machine needs
  { timeout: 15 * minute },
  async () => {
    const seed = Number(process.env['CRASHLAB_SEED'] ?? 7)
    const { failures, acknowledged, answered, faults } = await breakProduct({
      seed,
      seconds: productSeconds,
      only: productFaults,
    })

    expect({ seed, failures }).toEqual({ seed, failures: [] })
    expect(acknowledged).toBeGreaterThan(100)
    expect(Math.min(answered.flags, answered.site, faults.length)).toBeGreaterThan(0)
  },
)
