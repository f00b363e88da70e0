import { expect, test } from 'vitest'
import { aFlag, aSet } from '#test/random/random-flags'
import type { ConditionSet, Flag, FlagSetting } from './flag'
import type { FlagVersion } from './history'
import { type FlagUsage, settledValueIn, type StaleReason, staleness, valueForAll } from './staleness'

const now = new Date('2026-03-31T12:00:00Z')
const daysAgo = (days: number): Date => new Date(now.getTime() - days * 86_400_000)

const everybody = aSet()
const half: ConditionSet = { ...everybody, percentage: 50 }
const germans: ConditionSet = {
  ...everybody,
  conditions: [{ type: 'person', key: '$geoip_country_code', operator: 'exact', value: ['DE'] }],
}

const setting = (conditions: ConditionSet[], more: Partial<FlagSetting> = {}): FlagSetting => ({
  isOn: true,
  conditions,
  holdout: undefined,
  payloads: {},
  ...more,
})

const flag = (more: Partial<Flag> = {}): Flag =>
  aFlag({
    key: 'beta',
    environments: { production: setting([half]) },
    createdAt: daysAgo(90),
    changedAt: daysAgo(60),
    ...more,
  })

const variants = [
  { key: 'bold', name: '', percentage: 100 },
  { key: 'plain', name: '', percentage: 0 },
]

const messages = (first: number, last: number, ...values: string[]): FlagUsage => ({
  firstAsked: daysAgo(first),
  lastAsked: daysAgo(last),
  values,
})

const rolledOut = { environments: { production: setting([everybody]) } }

test.each<[string, Flag, FlagUsage | undefined, StaleReason['because'] | undefined]>([
  ['in use', flag(), messages(80, 0, 'true', 'false'), undefined],
  ['asked for by nobody', flag(), undefined, 'never-asked'],
  ['asked for by nobody, but new', flag({ createdAt: daysAgo(29) }), undefined, undefined],
  ['brought along, and not asked for lately', flag({ createdAt: daysAgo(1) }), messages(80, 31), 'not-asked'],
  ['not asked for lately', flag(), messages(80, 31), 'not-asked'],
  ['asked for 29 days ago', flag(), messages(80, 29, 'true', 'false'), undefined],
  ['with one answer for all', flag(), messages(80, 0, 'false'), 'one-answer'],
  ['with one answer so far', flag(), messages(12, 0, 'false'), undefined],
  ['fully rolled out', flag(rolledOut), messages(80, 0, 'true'), 'fully-rolled-out'],
  [
    'fully rolled out last week',
    flag({ ...rolledOut, changedAt: daysAgo(7) }),
    messages(80, 0, 'true', 'false'),
    undefined,
  ],
  ['a configuration', flag({ ...rolledOut, kind: 'config' }), messages(80, 0, 'true'), undefined],
  ['archived', flag({ archivedAt: daysAgo(1) }), undefined, undefined],
])('a flag that is %s', (_, one, usage, because) => {
  expect(staleness(one, usage, settledValueIn(one, 'production'), now)?.because).toBe(because)
})

test('who asks without telling may have asked for this one, and got something else', () => {
  const silently = (one: Flag, usage: FlagUsage | undefined) =>
    staleness(one, usage, settledValueIn(one, 'production'), now, { isAskedSilently: true })?.because
  expect(silently(flag(), undefined)).toBeUndefined()
  expect(silently(flag(), messages(80, 31))).toBeUndefined()
  expect(silently(flag(), messages(80, 0, 'false'))).toBeUndefined()
  expect(silently(flag(rolledOut), undefined)).toBe('fully-rolled-out')
})

test.each<[string, Partial<Flag>, string | undefined]>([
  ['everybody', { environments: { production: setting([everybody]) } }, 'true'],
  ['half of them', { environments: { production: setting([half]) } }, undefined],
  ['some by name, then everybody', { environments: { production: setting([germans, everybody]) } }, 'true'],
  ['some by name', { environments: { production: setting([germans]) } }, undefined],
  [
    'some turned away for good',
    { environments: { production: setting([{ ...germans, percentage: 10, isLast: true }, everybody]) } },
    undefined,
  ],
  ['off', { environments: { production: setting([everybody], { isOn: false }) } }, undefined],
  [
    'some held out',
    { environments: { production: setting([everybody], { holdout: { id: 1, percentage: 5 } }) } },
    undefined,
  ],
  ['somewhere else', { environments: { staging: setting([everybody]) } }, undefined],
  ['one variant that has all', { variants, environments: { production: setting([everybody]) } }, 'bold'],
  [
    'another variant by name',
    { variants, environments: { production: setting([{ ...germans, variant: 'plain' }, everybody]) } },
    undefined,
  ],
  [
    'one variant instead',
    { variants, environments: { production: setting([{ ...everybody, variant: 'plain' }]) } },
    'plain',
  ],
  [
    'shared out',
    {
      variants: [
        { key: 'a', name: '', percentage: 50 },
        { key: 'b', name: '', percentage: 50 },
      ],
      environments: { production: setting([everybody]) },
    },
    undefined,
  ],
])('what no one gets anything else than: %s', (_, more, value) => {
  expect(valueForAll(flag(more), 'production')).toBe(value)
})

test('a flag is settled since the version that made it so, whatever was changed of it later', () => {
  const version = (at: number, more: Partial<Flag>): FlagVersion => ({
    version: 1,
    flag: flag(more),
    by: 'Ana',
    at: daysAgo(at),
    note: undefined,
  })
  const versions = [
    version(2, { ...rolledOut, description: 'Renamed' }),
    version(40, rolledOut),
    version(50, {}),
    version(70, rolledOut),
  ]
  const settled = settledValueIn(flag({ ...rolledOut, changedAt: daysAgo(2) }), 'production', versions)
  expect(settled).toEqual({ since: daysAgo(40), value: 'true' })
})
