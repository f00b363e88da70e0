import { expect, test } from 'vitest'
import { aFlag, aSet, aVariant } from '#test/random/random-flags'
import { differences } from './differences'
import type { ConditionSet, EditableFlag } from './flag'

const names = { property: (key: string) => key, cohorts: [] }

const everybody = aSet()
const some: ConditionSet = { ...everybody, percentage: 10 }
const off = { isOn: false, conditions: [], holdout: undefined, payloads: {} }

const flag: EditableFlag = aFlag({
  key: 'headline',
  owner: 'Ana',
  variants: [aVariant('a', 50), aVariant('b', 50)],
  environments: { production: { ...off, isOn: true, conditions: [some] } },
})

const inProduction = (conditions: ConditionSet[]): Partial<EditableFlag> => ({
  environments: { production: { ...off, isOn: true, conditions } },
})

test.each<[string, Partial<EditableFlag>, string[]]>([
  ['nothing', {}, []],
  ['a description', { description: 'New' }, ['Description: nothing → “New”']],
  ['tags', { tags: ['web', 'pay'] }, ['Tags: none → web, pay']],
  ['whom it is decided by', { bucketBy: { by: 'group', group: 'company' } }, ['Bucket by: person → company']],
  [
    'the shares of variants',
    {
      variants: [
        { key: 'a', name: '', percentage: 33.33 },
        { key: 'c', name: '', percentage: 66.67 },
      ],
    },
    ['Variant a: 50% → 33.33%', 'Variant b removed', 'Variant c added, 66.67%'],
  ],
  ['the order of variants', { variants: flag.variants.toReversed() }, ['Variants reordered']],
  ['a payload', { payloads: { a: '{"n":1}' } }, ['Value of a: nothing → {"n":1}']],
  [
    'how far it is let out',
    inProduction([everybody]),
    ['production: 10% of everyone get it. → Everyone gets it.'],
  ],
  [
    'another environment',
    { environments: { ...flag.environments, staging: { ...off, isOn: true } } },
    ['staging: turned on'],
  ],
  [
    'several sets at once',
    inProduction([some, everybody, { ...everybody, variant: 'b' }]),
    ['production: new: Everyone gets it.', 'production: new: Everyone gets “b”.'],
  ],
])('what changed is said in words: %s', (_what, change, lines) =>
  expect(differences(flag, { ...flag, ...change }, names)).toEqual(lines),
)

test('sets that only changed places are said to have', () => {
  const before = { ...flag, ...inProduction([some, everybody]) }
  const after = { ...flag, ...inProduction([everybody, some]) }
  expect(differences(before, after, names)).toEqual(['production: condition sets reordered'])
})
