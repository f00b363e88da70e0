import { expect, test } from 'vitest'
import type { Condition, ConditionSet, FlagSetting } from './flag'
import { conditionInWords, rolloutInWords, setInWords } from './words'

const names = {
  property: (key: string) => (key === 'plan' ? 'Plan' : key),
  cohorts: [{ id: 'c1', name: 'Staff' }],
}

const isPro: Condition = { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }

const set = (given: Partial<ConditionSet>): ConditionSet => ({
  description: '',
  conditions: [],
  percentage: 100,
  variant: undefined,
  isLast: false,
  ...given,
})

const setting = (...conditions: ConditionSet[]): FlagSetting => ({
  isOn: true,
  conditions,
  holdout: undefined,
  payloads: {},
})

test.each<[Condition, string]>([
  [isPro, 'Plan is pro'],
  [{ type: 'cohort', cohort: 'c1', operator: 'in' }, 'is in Staff'],
  [{ type: 'cohort', cohort: 'c2', operator: 'not_in' }, 'is not in a deleted cohort'],
  [{ type: 'flag', flag: 'checkout', value: true }, 'checkout is on'],
  [{ type: 'flag', flag: 'checkout', value: false }, 'checkout is off'],
  [{ type: 'flag', flag: 'checkout', value: 'short' }, 'checkout gives short'],
  [{ type: 'group', group: 'company', key: 'plan', operator: 'is_set' }, 'company’s Plan is set'],
])('a condition is said in words: %j', (condition, words) =>
  expect(conditionInWords(condition, names)).toBe(words),
)

test.each<[Partial<ConditionSet>, string]>([
  [{}, 'Everyone gets it.'],
  [{ percentage: 12.34 }, '12.34% of everyone get it.'],
  [{ percentage: 0 }, 'No one gets it.'],
  [{ conditions: [isPro] }, 'If Plan is pro, everyone gets it.'],
  [{ conditions: [isPro], percentage: 10, variant: 'b' }, 'If Plan is pro, 10% get “b”.'],
  [
    { conditions: [isPro], percentage: 10, isLast: true },
    'If Plan is pro, 10% get it. Other matching visitors get no value.',
  ],
])('a condition set is said as a sentence: %j', (given, words) =>
  expect(setInWords(set(given), names)).toBe(words),
)

test.each<[FlagSetting | undefined, string]>([
  [undefined, 'not set'],
  [setting(), 'no one'],
  [setting(set({})), 'everyone'],
  [setting(set({ percentage: 50 })), '50% of everyone'],
  [setting(set({ conditions: [isPro] }), set({ percentage: 10 })), 'Plan is pro: everyone; others: 10%'],
  [
    setting(set({ percentage: 5 }), set({}), set({}), set({})),
    '5% of everyone; others: everyone; and 2 more',
  ],
])('a list says how far a flag is let out: %#', (given, words) =>
  expect(rolloutInWords('switch', given, names)).toBe(words),
)

test('a configuration is everyone’s', () =>
  expect(rolloutInWords('config', setting(), names)).toBe('everyone'))
