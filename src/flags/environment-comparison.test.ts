import { expect, test } from 'vitest'
import { propertyLabel } from '#events/taxonomy'
import { aFlag, aSet } from '#test/random/random-flags'
import { compareEnvironments } from './environment-comparison'
import type { Condition, Flag, FlagSetting } from './flag'

const names = { property: propertyLabel, cohorts: [] }
const pro: Condition = { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }

const aSetting = (part: Partial<FlagSetting> = {}): FlagSetting => ({
  isOn: true,
  conditions: [aSet()],
  payloads: {},
  ...part,
})

const compare = (...flags: Flag[]) => compareEnvironments(flags, 'production', 'staging', names)

test('says for each flag what it is in both, and whether that differs', () => {
  const same = aFlag({ key: 'same', environments: { production: aSetting(), staging: aSetting() } })
  const conditions = [aSet({ conditions: [pro], percentage: 20 })]
  const environments = { production: aSetting({ conditions }), staging: aSetting() }
  const farther = aFlag({ key: 'farther', environments })
  expect(compare(same, farther)).toEqual([
    {
      key: 'same',
      description: '',
      version: 1,
      left: { isOn: true, rules: ['Everyone gets it.'], changes: [] },
      right: { isOn: true, rules: ['Everyone gets it.'], changes: [] },
      isDifferent: false,
    },
    {
      key: 'farther',
      description: '',
      version: 1,
      left: {
        isOn: true,
        rules: ['If plan is pro, 20% get it.'],
        changes: ['If plan is pro, 20% get it. → Everyone gets it.'],
      },
      right: {
        isOn: true,
        rules: ['Everyone gets it.'],
        changes: ['Everyone gets it. → If plan is pro, 20% get it.'],
      },
      isDifferent: true,
    },
  ])
})

test.each<[string, Partial<FlagSetting>, readonly string[]]>([
  ['the switch', { isOn: false }, ['Everyone gets it.']],
  ['a holdout', { holdout: { id: 1, percentage: 5 } }, ['5% are held out.', 'Everyone gets it.']],
  ['a layer', { layer: { id: 3, from: 0, until: 50 } }, ['0 to 50% of layer 3.', 'Everyone gets it.']],
  ['a value', { payloads: { true: '"blue"' } }, ['Everyone gets it.', 'Value of on: "blue"']],
])('%s alone is a difference', (_, part, rules) => {
  const environments = { production: aSetting(), staging: aSetting(part) }
  const [compared] = compare(aFlag({ key: 'one', environments }))
  expect(compared).toMatchObject({ isDifferent: true, right: { rules } })
})

test('an environment that was never set up differs from one that is on, and archived flags are left out', () => {
  const environments = { production: aSetting() }
  const gone = aFlag({ key: 'gone', environments, archivedAt: new Date(0) })
  expect(compare(aFlag({ key: 'one', environments }), gone)).toMatchObject([
    { key: 'one', isDifferent: true, right: { isOn: false, rules: [] } },
  ])
  expect(compare(aFlag({ key: 'none', environments: {} }))).toMatchObject([{ isDifferent: false }])
})
