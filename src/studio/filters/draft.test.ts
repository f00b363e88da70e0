import { describe, expect, test } from 'vitest'
import type { Filter } from '#filters/filter'
import { draftOf, filterOf, newCondition, newGroup, operatorsFor, valueFor } from './draft'

const isPro: Filter = { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }
const inStaff: Filter = { type: 'cohort', cohort: 'staff', operator: 'not_in' }
const atAcme: Filter = { type: 'group', group: 'company', key: 'name', operator: 'is_set' }

describe('what goes in comes out', () => {
  test.each<[Filter, Filter]>([
    [{ all: [isPro, inStaff] }, { all: [isPro, inStaff] }],
    [{ any: [isPro, { all: [inStaff, atAcme] }] }, { any: [isPro, { all: [inStaff, atAcme] }] }],
    [isPro, { all: [isPro] }],
    [{ any: [isPro] }, { all: [isPro] }],
  ])('%j', (filter, same) => expect(filterOf(draftOf(filter))).toEqual(same))

  test('nothing stays nothing', () => expect(filterOf(draftOf(undefined))).toBeUndefined())
})

test('what is not complete yet is left out', () => {
  const draft = draftOf(isPro)
  const half = {
    id: -1,
    kind: 'property' as const,
    subject: { type: 'event' as const, key: 'price' },
    operator: 'between' as const,
  }
  const members = [
    ...draft.members,
    newCondition(),
    newGroup(),
    { id: -2, kind: 'cohort' as const, operator: 'in' as const, cohort: undefined },
    { ...half, value: undefined },
    { ...half, value: [1, null] },
  ]
  expect(filterOf({ ...draft, members })).toEqual({ all: [isPro] })
})

test.each([
  ['number', 'gt', true],
  ['number', 'icontains', false],
  ['text', 'semver_gt', true],
  ['boolean', 'gt', false],
  [undefined, 'gt', true],
  [undefined, 'icontains', true],
] as const)('for values that are %s, %s is offered: %s', (type, operator, isOffered) => {
  expect(operatorsFor(type).includes(operator)).toBe(isOffered)
})

test.each([
  // chosen   before        value        what is kept of it
  ['is_not', 'exact', ['a'], ['a']],
  ['icontains', 'exact', ['a', 'b'], 'a'],
  ['exact', 'icontains', 'a', ['a']],
  ['gt', 'exact', ['a'], undefined],
  ['lt', 'gt', 5, 5],
] as const)('choosing %s after %s with %j keeps %j', (chosen, before, value, kept) => {
  expect(valueFor(chosen, before, typeof value === 'object' ? [...value] : value)).toEqual(kept)
})
