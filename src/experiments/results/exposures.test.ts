import { describe, expect, test } from 'vitest'
import type {
  ExperimentExposuresAnswer,
  ExposureCell,
  ExposureDimension,
  UnitState,
} from '#insights/kinds/experiment-exposures/answer'
import type { ExperimentPhase } from '../internal/phases'
import { exposureReport } from './exposures'

const phase = (weights: Record<string, number> = { control: 50, test: 50 }): ExperimentPhase => ({
  startedAt: new Date('2026-03-02T00:00:00Z'),
  weights,
  hasFixedVariants: false,
})

/** Units that share a value of one dimension; they are among all units as well. */
const units = (
  variant: string,
  count: number,
  {
    browser = 'Firefox',
    state = 'counted',
    phase: at = 0,
  }: { browser?: string; state?: UnitState; phase?: number } = {},
): ExposureCell[] =>
  (
    [
      ['all', ''],
      ['browser', browser],
    ] as [ExposureDimension, string][]
  ).map(([dimension, value]) => ({
    dimension,
    value,
    variant,
    phase: at,
    state,
    units: count,
    served: count,
    viewed: 0,
    converted: 0,
  }))

const report = (
  cells: ExposureCell[],
  { phases = [phase()], ...more }: { phases?: ExperimentPhase[] } & Partial<ExperimentExposuresAnswer> = {},
) =>
  exposureReport(['control', 'test'], phases, {
    cells,
    several: [],
    onlyBefore: 0,
    onlyOutside: 0,
    ...more,
  })

describe('the cause of a mismatch', () => {
  test('a fair split has none', () => {
    const found = report([...units('control', 500), ...units('test', 510)])
    expect(found).toMatchObject({ cause: undefined, sentence: undefined })
    expect(found.mismatch.p).toBeGreaterThan(0.5)
  })

  test('the group without which the split is the configured one, with its part of the statistic', () => {
    const found = report([
      ...units('control', 5000),
      ...units('test', 5020),
      ...units('control', 600, { browser: 'Safari' }),
      ...units('test', 100, { browser: 'Safari' }),
    ])
    expect(found.cause).toMatchObject({ by: 'group', dimension: 'browser', value: 'Safari', units: 700 })
    expect(found.sentence).toMatch(
      /^The likeliest cause: Browser “Safari”\. Without these 700 units the split is the configured one \(p = 0\.8\d\d\)\.$/,
    )
    const safari = found.groups.find(({ value }) => value === 'Safari')
    expect(safari?.without?.statistic).toBeCloseTo(20 ** 2 / 10_020, 10)
    expect(safari?.contribution).toBeCloseTo(480 ** 2 / 10_720 - 20 ** 2 / 10_020, 10)
  })

  test('units that are left out unevenly', () => {
    const found = report([
      ...units('control', 5000),
      ...units('test', 4500),
      ...units('test', 500, { state: 'several' }),
    ])
    expect(found.cause).toMatchObject({ by: 'left-out', state: 'several', units: 500 })
    expect(found.sentence).toContain('500 units were exposed to several variants')
  })

  test('everywhere alike is no group’s doing', () => {
    const found = report([
      ...units('control', 5000),
      ...units('test', 4500),
      ...units('control', 5000, { browser: 'Safari' }),
      ...units('test', 4500, { browser: 'Safari' }),
    ])
    expect(found.cause).toEqual({ by: 'unknown' })
  })

  test('each phase has its own weights', () => {
    const found = report(
      [
        ...units('control', 900),
        ...units('test', 100),
        ...units('control', 100, { phase: 1 }),
        ...units('test', 900, { phase: 1 }),
      ],
      { phases: [phase({ control: 90, test: 10 }), phase({ control: 10, test: 90 })] },
    )
    expect(found.mismatch).toEqual({ statistic: 0, p: 1 })
  })
})

test('a dimension of many values shows the largest, and says how many are left out', () => {
  const browsers = Array.from({ length: 60 }, (_, i) => i + 1)
  const found = report(
    browsers.flatMap((count) => [
      ...units('control', count, { browser: `Browser ${count}` }),
      ...units('test', count, { browser: `Browser ${count}` }),
    ]),
  )
  expect(found.groups.map(({ units: of }) => of)).toEqual(Array.from({ length: 50 }, (_, i) => 2 * (60 - i)))
  expect(found.groupsLeftOut).toEqual([{ dimension: 'browser', values: 10, units: 2 * 55 }])
  expect(report(units('control', 5)).groupsLeftOut).toEqual([])
})

test('every difference from an insight has its sentence and its number', () => {
  const { differences, leftOut } = report(
    [
      ...units('control', 10),
      ...units('test', 1200, { state: 'robot' }),
      ...units('', 3, { state: 'other' }),
    ],
    { onlyBefore: 4 },
  )
  expect(leftOut).toEqual([
    { state: 'robot', variant: 'test', units: 1200 },
    { state: 'other', variant: '', units: 3 },
  ])
  expect(differences.map(({ sentence }) => sentence)).toEqual([
    '1,200 are robots: an insight counts them, the experiment does not.',
    '3 got no variant (the flag was off for them, or they are held out): an insight counts them, the experiment does not.',
    '4 had the metric’s event only before their exposure: an insight counts them as converted, the experiment does not.',
  ])
})
