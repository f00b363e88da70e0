import { expect, test } from 'vitest'
import { crash } from './crashlab/lab'
import { crashTogether } from './crashlab/shared-lab'

const minute = 60_000

test(
  'C1: killed with -9 eight times, it has every acknowledged event, once',
  { timeout: 4 * minute },
  async () => {
    const seed = Number(process.env['CRASHLAB_SEED'] ?? Date.now() % 1_000_000)
    const { rounds, acknowledged, lost, twice, toldWrongly, quarantined } = await crash({
      seed,
      rounds: { remote: 6, embedded: 2 },
    })

    const wrong = { lost, twice, toldWrongly, quarantined }
    expect({ seed, ...wrong }).toEqual({ seed, lost: [], twice: [], toldWrongly: [], quarantined: 0 })
    expect(rounds).toBe(8)
    expect(acknowledged).toBeGreaterThan(100)
  },
)

test(
  'two fronts store every acknowledged event once and keep sessions whole while parts are killed',
  { timeout: 8 * minute },
  async () => {
    const seed = Number(process.env['CRASHLAB_SEED'] ?? Date.now() % 1_000_000)
    const { acknowledged, lost, twice, torn } = await crashTogether({ seed, rounds: 7 })

    expect({ seed, lost, twice, torn }).toEqual({ seed, lost: [], twice: [], torn: [] })
    expect(acknowledged).toBeGreaterThan(200)
  },
)
