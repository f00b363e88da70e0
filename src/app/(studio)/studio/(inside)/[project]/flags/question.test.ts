import { expect, test } from 'vitest'
import type { Flag } from '#flags/flag'
import { flagsQuestionIn, filterFlags } from './question'

const setting = (isOn: boolean) => ({ isOn, conditions: [], holdout: undefined, payloads: {} })

const flag = (key: string, part: Partial<Flag> = {}): Flag => ({
  id: 1,
  projectId: 1,
  key,
  description: '',
  tags: [],
  owner: '',
  kind: 'switch',
  variants: [],
  payloads: {},
  isSecret: false,
  bucketBy: { by: 'person' },
  keepsThroughSignIn: false,
  servedTo: 'everybody',
  contexts: [],
  earlyAccess: undefined,
  hasExperiment: false,
  environments: { production: setting(true), staging: setting(false) },
  version: 1,
  createdBy: 'Ana',
  createdAt: new Date(0),
  changedAt: new Date(0),
  archivedAt: undefined,
  ...part,
})

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
  const shown = filterFlags(flags, flagsQuestionIn(search), 'production')
  expect(shown.map(({ key }) => key)).toEqual(keys)
})
