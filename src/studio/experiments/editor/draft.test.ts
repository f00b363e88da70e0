import { expect, test } from 'vitest'
import { newMetric } from '../metrics/metric-presets'
import {
  changeOf,
  changesPrimaryMetrics,
  differencesOf,
  emptyDraft,
  type ExperimentDraft,
  inputOf,
  kindChange,
  usualAnalysis,
} from './draft'
import { exposureOfPreset, exposureWithFlag } from './exposure-presets'

const flag = { key: 'checkout', variants: [{ key: 'old', name: '', percentage: 100 }] }
const base = { ...emptyDraft(flag), changedAt: new Date('2026-03-01T10:00:00.000Z') }
const changedAt = '2026-03-01T10:00:00.000Z'
const country = { type: 'event', key: 'country', operator: 'exact', value: ['DE'] } as const

test('a change has only what differs, and null for what was taken away', () => {
  const prior = { mean: 0, standardDeviation: 1 }
  const filtered = { ...base, entry: { ...country, value: ['DE'] }, analysis: { ...usualAnalysis, prior } }
  expect(changeOf({ ...base, name: 'Checkout' }, base)).toEqual({ name: 'Checkout', changedAt })
  expect(changeOf(base, filtered)).toEqual({
    entry: null,
    analysis: { ...usualAnalysis, prior: null },
    changedAt,
  })
  expect(differencesOf(filtered, base)).toEqual(['Who may enter', 'Analysis'])
})

test('recipients are compared and sent without the secrets of webhooks', () => {
  const webhook = { by: 'webhook', url: 'https://hooks.example.com/tilth' } as const
  const saved = { ...base, recipients: [{ ...webhook, secret: 'whsec_1' }] }
  expect(differencesOf(saved, { ...base, recipients: [webhook] })).toEqual([])
  expect(changeOf({ ...saved, name: 'Checkout' }, saved)).toEqual({ name: 'Checkout', changedAt })
  const added = { by: 'mail', address: 'client@example.com' } as const
  expect(changeOf({ ...saved, recipients: [...saved.recipients, added] }, saved)).toEqual({
    recipients: [webhook, added],
    changedAt,
  })
})

test('a new experiment has no empty parts', () => {
  const input = inputOf(emptyDraft(flag))
  expect(input).not.toHaveProperty('entry')
  expect(input.analysis).not.toHaveProperty('prior')
  expect(input).toMatchObject({ flag: 'checkout', control: 'old' })
})

test('another primary metric is a change of what decides; another secondary one is not', () => {
  const primary = { ...newMetric('metric-1', 'primary'), name: 'Orders' }
  const before = { ...base, metrics: [primary] }
  expect(changesPrimaryMetrics(before, { ...before, metrics: [{ ...primary, name: 'Sales' }] })).toBe(false)
  expect(changesPrimaryMetrics(before, { ...before, metrics: [primary, newMetric('a', 'secondary')] })).toBe(
    false,
  )
  expect(changesPrimaryMetrics(before, { ...before, metrics: [{ ...primary, goal: 'decrease' }] })).toBe(true)
})

test('the event of another tool names the flag, and follows it', () => {
  const amplitude = exposureOfPreset('amplitude', 'checkout')
  expect(amplitude).toEqual({
    by: 'event',
    event: '$exposure',
    property: 'variant',
    filter: { type: 'event', key: 'flag_key', operator: 'exact', value: ['checkout'] },
  })
  expect(amplitude && exposureWithFlag(amplitude, 'checkout', 'pricing')).toEqual(
    exposureOfPreset('amplitude', 'pricing'),
  )
  const own = { by: 'event', event: 'seen', property: 'variant' } as const
  expect(exposureWithFlag(own, 'checkout', 'pricing')).toEqual(own)
})

test('what was typed for a kind is there again when that kind is chosen again, and is saved with it alone', () => {
  const asKind = (draft: ExperimentDraft, kind: ExperimentDraft['kind']) => ({
    ...draft,
    ...kindChange(draft, kind),
  })
  const rollout = asKind(emptyDraft(flag), 'rollout')
  const steps = [{ share: 7, minutes: 90 }]
  const typed = { ...rollout, rollout: rollout.rollout && { ...rollout.rollout, steps } }
  expect(inputOf(typed)).toMatchObject({ rollout: { steps }, analysis: { method: 'sequential' } })

  const fixed = asKind(asKind(typed, 'bandit'), 'fixed')
  expect(inputOf(fixed)).toEqual(inputOf(emptyDraft(flag)))
  expect(differencesOf(emptyDraft(flag), fixed)).toEqual([])
  expect(inputOf(asKind(fixed, 'rollout'))).toEqual(inputOf(typed))
})
