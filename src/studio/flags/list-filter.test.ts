import { expect, test } from 'vitest'
import type { Flag } from '#flags/flag'
import { aFlag } from '#test/random/random-flags'
import { flagsFilterIn, filterFlags } from './list-filter'

const setting = (isOn: boolean) => ({ isOn, conditions: [], holdout: undefined, payloads: {} })

const flag = (key: string, part: Partial<Flag> = {}): Flag =>
  aFlag({ key, environments: { production: setting(true), staging: setting(false) }, ...part })

const flags = [
  flag('checkout', { description: 'A shorter one', tags: ['pay'] }),
  flag('prices', { kind: 'variants', owner: 'Ben', environments: {} }),
  flag('old', { archivedAt: new Date(0) }),
]

test.each([
  // the address says                     the list shows
  [{}, ['checkout', 'prices']],
  [{ show: 'archived' }, ['old']],
  [{ search: 'SHORTER' }, ['checkout']],
  [{ search: 'ben' }, ['prices']],
  [{ tag: 'pay' }, ['checkout']],
  [{ kind: 'variants' }, ['prices']],
  [{ state: 'on' }, ['checkout']],
  [{ state: 'off' }, ['prices']],
  [{ state: 'stale' }, ['checkout', 'prices']],
  [{ state: 'nonsense', kind: ['a', 'b'] }, ['checkout', 'prices']],
])('%j', (search, keys) => {
  const shown = filterFlags(flags, flagsFilterIn(search), 'production')
  expect(shown.map(({ key }) => key)).toEqual(keys)
})
