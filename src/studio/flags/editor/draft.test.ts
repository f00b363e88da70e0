import { describe, expect, test } from 'vitest'
import type { Flag } from '#flags/flag'
import { editableFlag } from '#flags/flag-schema'
import {
  changeableOf,
  draftOf,
  isComplete,
  newFlag,
  newRow,
  newSet,
  newVariant,
  ofKind,
  splitEqually,
  type VariantDraft,
  variantTotal,
  whyNoJson,
  whyNotYet,
} from './draft'

const blank = editableFlag.parse({})

const flag: Flag = {
  ...blank,
  id: 1,
  projectId: 1,
  key: 'checkout',
  description: 'A shorter one',
  tags: ['pay'],
  owner: 'Ana',
  kind: 'variants',
  variants: [
    { key: 'control', name: '', percentage: 50 },
    { key: 'test', name: 'Short', percentage: 50 },
  ],
  payloads: { test: '{"steps":2}' },
  isSecret: false,
  bucketBy: { by: 'group', group: 'company' },
  keepsThroughSignIn: true,
  servedTo: 'browsers',
  contexts: ['web'],
  earlyAccess: undefined,
  hasExperiment: false,
  environments: {
    production: {
      isOn: true,
      holdout: undefined,
      payloads: {},
      conditions: [
        {
          description: 'Ours first',
          conditions: [
            { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] },
            { type: 'cohort', cohort: 'c1', operator: 'not_in' },
            { type: 'flag', flag: 'basket', value: 'new' },
            { type: 'group', group: 'company', key: 'size', operator: 'gt', value: 5 },
          ],
          percentage: 12.34,
          variant: 'test',
          isLast: true,
        },
      ],
    },
  },
  version: 3,
  createdBy: 'Ana',
  createdAt: new Date(0),
  changedAt: new Date(0),
  archivedAt: undefined,
}

test('what is opened and not changed is what would be saved', () => {
  expect(flag).toMatchObject(changeableOf(draftOf(flag)))
})

test('a condition on its way is not saved, and keeps the flag from being saved', () => {
  const draft = newFlag(blank, { kind: 'switch', owner: 'Ana', environments: ['production'] })
  expect(isComplete(draft)).toBe(true)
  const begun = {
    ...draft,
    environments: { production: { ...draft.environments['production'], ...setting(newRow.property()) } },
  }
  expect(whyNotYet(begun)).toContain('Complete every condition')
  expect(changeableOf(begun).environments['production']?.conditions[0]?.conditions).toEqual([])
})

const setting = (row: ReturnType<typeof newRow.property>) => ({
  isOn: false,
  holdout: undefined,
  payloads: {},
  sets: [{ ...newSet(), rows: [row] }],
})

describe('shares', () => {
  const these = (count: number): VariantDraft[] =>
    Array.from({ length: count }, (_, place) => ({ ...newVariant([]), key: `v${place}` }))

  test.each([1, 2, 3, 6, 7, 9, 13, 100])('%i variants make a hundred', (count) => {
    const shared = splitEqually(these(count))
    const shares = shared.map(({ percentage }) => percentage)
    expect(variantTotal(shared)).toBe(100)
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThan(0.011)
  })

  test('that make something else are said', () => {
    const draft = {
      ...newFlag(blank, { kind: 'variants', owner: 'Ana', environments: [] }),
      variants: these(2),
    }
    expect(whyNotYet(draft)).toBe('Variant weights add up to 0% instead of 100%.')
  })
})

test.each([
  ['', undefined],
  ['{"a": 1}', undefined],
  ['"blue"', undefined],
  ['blue', 'This is not valid JSON. Quote a string: "blue"'],
  ['{"a": }', 'This is not valid JSON yet.'],
])('a value is held to be JSON as it is typed: %s', (text, why) => expect(whyNoJson(text)).toBe(why))

test('a flag of another kind keeps nothing that kind has no use for', () => {
  const config = ofKind(draftOf(flag), 'config')
  expect(config).toMatchObject({ kind: 'config', variants: [], payloads: { true: '{}' } })
  expect(changeableOf(config).payloads).toEqual({ true: '{}' })
  expect(changeableOf(config).environments['production']?.conditions[0]?.variant).toBeUndefined()
  expect(ofKind(config, 'variants').variants.map(({ key }) => key)).toEqual(['control', 'test'])
})
