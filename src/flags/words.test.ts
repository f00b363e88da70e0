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
  [{ type: 'cohort', cohort: 'c2', operator: 'not_in' }, 'is not in a cohort that is gone'],
  [{ type: 'flag', flag: 'checkout', value: true }, 'checkout is on'],
  [{ type: 'flag', flag: 'checkout', value: false }, 'checkout is off'],
  [{ type: 'flag', flag: 'checkout', value: 'short' }, 'checkout gives short'],
  [{ type: 'group', group: 'company', key: 'plan', operator: 'is_set' }, 'company’s Plan is set'],
])('a condition is said in words: %j', (condition, words) =>
  expect(conditionInWords(condition, names)).toBe(words),
)

test.each<[Partial<ConditionSet>, string]>([
  [{}, 'Everybody gets it.'],
  [{ percentage: 12.34 }, '12.34% of everybody get it.'],
  [{ percentage: 0 }, 'Nobody gets it.'],
  [{ conditions: [isPro] }, 'If Plan is pro, everybody gets it.'],
  [{ conditions: [isPro], percentage: 10, variant: 'b' }, 'If Plan is pro, 10% get “b”.'],
  [
    { conditions: [isPro], percentage: 10, isLast: true },
    'If Plan is pro, 10% get it. Other matching visitors get nothing.',
  ],
])('a condition set is said as a sentence: %j', (given, words) =>
  expect(setInWords(set(given), names)).toBe(words),
)

test.each<[FlagSetting | undefined, string]>([
  [undefined, 'never set'],
  [setting(), 'nobody'],
  [setting(set({})), 'everybody'],
  [setting(set({ percentage: 50 })), '50% of everybody'],
  [setting(set({ conditions: [isPro] }), set({ percentage: 10 })), 'Plan is pro: everybody; others: 10%'],
  [
    setting(set({ percentage: 5 }), set({}), set({}), set({})),
    '5% of everybody; others: everybody; and 2 more',
  ],
])('a list says how far a flag is let out: %#', (given, words) =>
  expect(rolloutInWords('switch', given, names)).toBe(words),
)

test('a configuration is everybody’s', () =>
  expect(rolloutInWords('config', setting(), names)).toBe('everybody'))
