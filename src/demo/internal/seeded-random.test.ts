import { expect, test } from 'vitest'
import { isUuid, timeOfUuid } from '#ingest/uuid'
import { SeededRandom } from './seeded-random'

const drawn = (chance: SeededRandom): number[] => Array.from({ length: 10_000 }, () => chance.next())

test('what was made of the same comes out the same, and what was made of something else does not', () => {
  expect(drawn(new SeededRandom('a'))).toEqual(drawn(new SeededRandom('a')))
  expect(drawn(new SeededRandom('a')).slice(0, 3)).not.toEqual(drawn(new SeededRandom('b')).slice(0, 3))
})

test('seeded chance is fair', () => {
  const tenths = Object.groupBy(drawn(new SeededRandom('fair')), (one) => Math.floor(one * 10))
  for (const tenth of Object.values(tenths)) expect(Math.abs((tenth?.length ?? 0) - 1000)).toBeLessThan(130)
  expect(Object.keys(tenths)).toHaveLength(10)
})

test('what weighs three times as much is drawn three times as often', () => {
  const chance = new SeededRandom('weights')
  const light = { weight: 1 }
  const draws = Array.from({ length: 8000 }, () => chance.weighted([light, { weight: 3 }]))
  expect(draws.filter((one) => one === light).length / 8000).toBeCloseTo(0.25, 1)
})

test('an amount is what was expected on average', () => {
  const chance = new SeededRandom('amounts')
  const sum = Array.from({ length: 8000 }, () => chance.amount(2.3)).reduce((all, one) => all + one, 0)
  expect(sum / 8000).toBeCloseTo(2.3, 1)
})

test('ids are uuids of their time, and no two are the same', () => {
  const chance = new SeededRandom('ids')
  const at = Date.parse('2026-03-02T10:00:00Z')
  const ids = Array.from({ length: 20_000 }, () => chance.uuid(at))
  expect(ids.every((id) => isUuid(id) && timeOfUuid(id) === at)).toBe(true)
  expect(new Set(ids).size).toBe(ids.length)
})
