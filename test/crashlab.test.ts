import { expect, test } from 'vitest'
import { crash } from './crashlab/lab'

const minute = 60_000

test(
  'C1: killed with -9 thirty times, it has every acknowledged event, once',
  { timeout: 4 * minute },
  async () => {
    const seed = Number(process.env['CRASHLAB_SEED'] ?? Date.now() % 1_000_000)
    const { rounds, acknowledged, lost, twice, toldWrongly, quarantined } = await crash({
      seed,
      rounds: { remote: 24, embedded: 6 },
    })

    const wrong = { lost, twice, toldWrongly, quarantined }
    expect({ seed, ...wrong }).toEqual({ seed, lost: [], twice: [], toldWrongly: [], quarantined: 0 })
    expect(rounds).toBe(30)
    expect(acknowledged).toBeGreaterThan(1000)
  },
)
