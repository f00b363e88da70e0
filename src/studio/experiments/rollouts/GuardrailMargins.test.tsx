import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { EffectEstimate, EffectReading, MetricReport } from '#experiments/results/report'
import { GuardrailMargins } from './GuardrailMargins'

const estimate = (value: number, low: number, high: number): EffectEstimate => ({
  value,
  low,
  high,
  standardError: 0.01,
  p: 0.2,
  adjustedP: undefined,
  chance: undefined,
  loss: undefined,
})

const guardrail = (
  relative: EffectEstimate | undefined,
  reading: EffectReading,
  goal: MetricReport['goal'] = 'decrease',
): MetricReport => ({
  id: 'errors',
  name: 'Errors',
  role: 'guardrail',
  goal,
  margin: 10,
  shape: 'share',
  values: [
    { variant: 'control', units: 400, value: 0.1, steps: [] },
    { variant: 'new', units: 410, value: 0.104, steps: [] },
  ],
  comparisons: [
    {
      variant: 'new',
      state: 'estimated',
      relative,
      absolute: estimate(0.004, -0.01, 0.02),
      adjusted: undefined,
      reading,
    },
  ],
  limits: [],
})

const textOf = (metric: MetricReport): string =>
  renderToStaticMarkup(<GuardrailMargins metrics={[metric]} minimumUnits={50} />)
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

test.each<[string, MetricReport, string]>([
  [
    'within its margin',
    guardrail(estimate(0.04, 0.01, 0.07), 'safe'),
    '+4.0% (+1.0% to +7.0%), 6% from the margin Within its margin',
  ],
  [
    'beyond its margin',
    guardrail(estimate(0.25, 0.12, 0.38), 'violated'),
    '+25% (+12% to +38%), 15% beyond the margin Worse than its margin',
  ],
  [
    'a loss of what should grow',
    guardrail(estimate(-0.04, -0.2, 0.12), 'unclear', 'increase'),
    '−4% (−20% to +12%), 6% from the margin Not certain yet',
  ],
  [
    'without a relative effect there is no margin to be near',
    guardrail(undefined, 'unclear'),
    '+0.4 points (−1.0 points to +2.0 points) Not certain yet',
  ],
])('a guardrail says how far it is from its margin: %s', (_, metric, words) => {
  expect(textOf(metric)).toContain(words)
})

test('a guardrail with too few units says how many there are', () => {
  const metric = guardrail(undefined, 'unclear')
  const few: MetricReport = {
    ...metric,
    comparisons: [{ variant: 'new', state: 'no-estimate', reason: 'too-few-units' }],
  }
  expect(textOf(few)).toContain('410 against 400 units Too few to say')
})

test('a guardrail that everyone with the new variant breaks is worse than its margin, without an estimate', () => {
  const values = [
    { variant: 'control', units: 100, value: 0, steps: [] },
    { variant: 'new', units: 100, value: 1, steps: [] },
  ]
  const comparisons: MetricReport['comparisons'] = [
    { variant: 'new', state: 'no-estimate', reason: 'no-variance' },
  ]
  const metric = { ...guardrail(undefined, 'unclear'), values, comparisons }
  expect(textOf(metric)).toContain('100 against 100 units Worse than its margin')
  expect(textOf({ ...metric, goal: 'increase' })).toContain('Too few to say')
})
