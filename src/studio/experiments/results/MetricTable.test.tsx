import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Experiment } from '#experiments/experiment'
import type { EffectEstimate, ExperimentReport, MetricReport } from '#experiments/results/report'
import { variantColours } from '#studio/flags/variant-colour'
import { MetricTable } from './MetricTable'

const estimate = (value: number, more: Partial<EffectEstimate> = {}): EffectEstimate => ({
  value,
  standardError: 0.01,
  low: value - 0.04,
  high: value + 0.04,
  p: undefined,
  adjustedP: undefined,
  chance: undefined,
  loss: undefined,
  ...more,
})

const orders: MetricReport = {
  id: 'orders',
  name: 'Orders',
  role: 'primary',
  goal: 'increase',
  margin: 5,
  shape: 'share',
  values: [
    { variant: 'control', units: 1000, value: 0.1, steps: [0.4, 0.1] },
    { variant: 'b', units: 1010, value: 0.12, steps: [0.5, 0.12] },
    { variant: 'c', units: 3, value: null, steps: [] },
  ],
  comparisons: [
    {
      variant: 'b',
      state: 'estimated',
      relative: estimate(0.2),
      absolute: estimate(0.02),
      adjusted: {
        relative: estimate(0.18, { p: 0.01, adjustedP: 0.02 }),
        absolute: estimate(0.018),
        varianceReduction: 0.31,
      },
      reading: 'better',
    },
    { variant: 'c', state: 'no-estimate', reason: 'too-few-units' },
  ],
  limits: [{ low: null, high: 140 }],
}

const report: ExperimentReport = {
  control: 'control',
  variants: [],
  phases: [],
  weightedSplit: undefined,
  excluded: { severalVariants: [], otherValues: 0, previews: 0 },
  metrics: [orders],
}

const experiment: Experiment = {
  id: 'e1',
  projectId: 1,
  name: 'New checkout',
  hypothesis: '',
  flag: 'checkout',
  control: 'control',
  exposure: { by: 'flag' },
  unit: { by: 'person' },
  entry: undefined,
  kind: 'fixed',
  bandit: undefined,
  rollout: undefined,
  severalVariants: 'exclude',
  metrics: [],
  analysis: {
    method: 'frequentist',
    decision: { rule: 'any-time' },
    level: 0.95,
    prior: undefined,
    lookbackDays: 14,
    smallestEffect: 0.05,
    power: 0.8,
    minimumUnits: 50,
  },
  notes: '',
  recipients: [],
  web: undefined,
  startedAt: new Date('2026-03-01'),
  endedAt: undefined,
  conclusion: undefined,
  archivedAt: undefined,
  createdBy: 'Ana',
  createdAt: new Date('2026-03-01'),
  changedAt: new Date('2026-03-01'),
}

const drawn = (scale: 'relative' | 'absolute', role: MetricReport['role'] = 'primary') =>
  renderToStaticMarkup(
    <MetricTable
      slug="acme"
      now={new Date('2026-03-09')}
      byPhase={[]}
      colourOf={variantColours(['b', 'control', 'c'])}
      {...{ experiment, report, scale, role }}
    />,
  )

test('a row has the adjusted and the unadjusted estimate, the gained variance and the corrected p-value', () => {
  const html = drawn('relative')
  expect(html).toContain('+18%')
  expect(html).toContain('Unadjusted +20%')
  expect(html).toContain('gains 31% variance')
  expect(html).toContain('0.020')
  expect(html).toContain('0.010 uncorrected')
  expect(html).toContain('Orders, b: +18% (95% interval +14% to +22%)')
  expect(html).toContain('always-valid interval')
  expect(html).not.toContain('Expected loss')
})

test('each variant stands beside its colour, which is that of its place in the flag', () => {
  const named = [...drawn('relative').matchAll(/--color-chart-(\w+)\)"[^>]*><rect.*?<bdi[^>]*>(\w+)</g)]
  expect(named.slice(0, 3).map(([, colour, variant]) => [variant, colour])).toEqual([
    ['control', '2'],
    ['b', '1'],
    ['c', '3'],
  ])
})

test('where no number is shown, the reason is', () =>
  expect(drawn('relative')).toContain('A variant has fewer than 50 units.'))

test('on the absolute scale differences are points, and limits and steps are in the details', () => {
  const html = drawn('absolute')
  expect(html).toContain('+2 points')
  expect(html).toContain('above 140')
  expect(html).toContain('Steps, as shares of all exposed units')
})

test('a table without metrics of its role is not drawn', () =>
  expect(drawn('relative', 'guardrail')).toBe(''))
