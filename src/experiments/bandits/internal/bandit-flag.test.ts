import { expect, test } from 'vitest'
import { weightPhases } from './bandit-flag'

const change = (version: number, minute: number, weight: number) => ({
  version,
  at: new Date(Date.UTC(2026, 2, 2, 10, minute)),
  weights: { control: weight, test: 100 - weight },
  by: 'Ana',
  why: '',
  movedPercent: 0,
})

test('each change of the weights before the end begins a phase, two at the same time begin one', () => {
  const changes = [change(2, 0, 50), change(4, 30, 40), change(5, 30, 30), change(7, 50, 10)]
  const phases = weightPhases(changes, new Date(Date.UTC(2026, 2, 2, 10, 50)))
  expect(phases.map(({ version, weights }) => [version, weights['control']])).toEqual([
    [2, 50],
    [5, 30],
  ])
})

test('a bandit that ended at once has the phase of its start', () => {
  const start = change(2, 0, 50)
  expect(weightPhases([start], start.at)).toHaveLength(1)
})
