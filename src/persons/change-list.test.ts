import { expect, test } from 'vitest'
import type { Json, ListChange } from '#events/event'
import { changeList } from './person'
import { applyPersonChanges } from './person'

test.each<[Json | undefined, ListChange['kind'], Json, Json[]]>([
  [undefined, 'append', 'a', ['a']],
  [null, 'append', 'a', ['a']],
  ['a', 'append', 'b', ['a', 'b']],
  [['a'], 'append', ['a', 'b'], ['a', 'a', 'b']],
  [['a'], 'prepend', ['b', 'c'], ['b', 'c', 'a']],
  [['a'], 'append-absent', ['a', 'b'], ['a', 'b']],
  [['a'], 'prepend-absent', ['a', 'b'], ['b', 'a']],
  [['a', 'b', 'a'], 'remove', 'a', ['b']],
  [[{ x: 1 }], 'append-absent', { x: 1 }, [{ x: 1 }]],
  [undefined, 'remove', 'a', []],
])('%j, %s %j, is %j', (before, kind, item, after) =>
  expect(changeList(before, { kind, name: 'l', item })).toEqual(after),
)

test('a list does not grow for ever', () => {
  const long = Array.from({ length: 1000 }, (_none, index) => index)
  expect(changeList(long, { kind: 'append', name: 'l', item: 'more' })).toEqual(long)
})

test('list changes apply in their order, beside the other changes of a person', () => {
  const changes = { set: { plan: 'pro' }, setOnce: {}, unset: ['old'], add: { n: 1 } }
  const lists: ListChange[] = [
    { kind: 'append', name: 'l', item: 'a' },
    { kind: 'prepend', name: 'l', item: 'b' },
    { kind: 'remove', name: 'l', item: 'a' },
  ]
  expect(applyPersonChanges({ old: 1 }, { ...changes, lists })).toEqual({ plan: 'pro', n: 1, l: ['b'] })
})
