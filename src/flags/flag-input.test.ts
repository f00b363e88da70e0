import { describe, expect, test } from 'vitest'
import { aFlag, aSet, aVariant, inProduction } from '#test/random/random-flags'
import { parseInput } from '#projects/problems'
import { circleThrough, objectionsAmong } from './internal/flag-dependencies'
import type { Condition, Flag } from './flag'
import { changedFlag, flagChange, newFlag } from './flag-input'

const inputWith = (overrides: object) => ({ key: 'new-cta', ...overrides })
const setWith = (overrides: object) => ({ environments: { production: { conditions: [overrides] } } })
const variants = (...percentages: number[]) => ({
  kind: 'variants',
  variants: percentages.map((percentage, i) => ({ key: `v${i}`, percentage })),
})

const sentences = (input: unknown): string[] => {
  const read = parseInput(newFlag, input)
  return read.done ? [] : read.problems.map(({ message }) => message)
}

test('a key is enough', () => {
  expect(parseInput(newFlag, { key: 'new-cta' })).toMatchObject({
    done: true,
    value: {
      key: 'new-cta',
      kind: 'switch',
      bucketBy: { by: 'person' },
      servedTo: 'everybody',
      environments: {},
    },
  })
})

describe('what cannot be meant', () => {
  const circular: Record<string, unknown> = {}
  circular['all'] = [circular]
  let deep: object = { type: 'person', key: 'a', operator: 'is_set' }
  for (let i = 0; i < 2000; i++) deep = { all: [deep] }

  test.each<[string, unknown, RegExp]>([
    ['no object', 'new-cta', /Give an object/],
    ['no key', {}, /A flag has a key/],
    ['a key with spaces', { key: 'new cta' }, /1 to 200 letters/],
    ['too long a key', { key: 'x'.repeat(201) }, /1 to 200 letters/],
    ['a key that gets lost', { key: '__proto__' }, /is a reserved key/],
    ['a key that leads elsewhere in an address', { key: '..' }, /needs more than dots/],
    ['something we never heard of', inputWith({ rollout: 5 }), /rollout/],
    ['over 100 percent', inputWith(setWith({ percentage: 101 })), /not more than 100/],
    ['below nothing', inputWith(setWith({ percentage: -1 })), /not less than 0/],
    ['finer than a hundredth', inputWith(setWith({ percentage: 33.333 })), /steps of 0.01/],
    ['no number', inputWith(setWith({ percentage: 'half' })), /number from 0 to 100/],
    ['not a number at all', inputWith(setWith({ percentage: Number.NaN })), /number from 0 to 100/],
    ['variants below 100', inputWith(variants(50, 49.99)), /together are 99.99 percent/],
    ['variants above 100', inputWith(variants(60, 60)), /together are 120 percent/],
    [
      'two of the same name',
      inputWith({ kind: 'variants', variants: [aVariant('a', 50), aVariant('a', 50)] }),
      /two variants “a”/,
    ],
    ['variants of a switch', inputWith({ variants: [aVariant('a', 100)] }), /Only a flag of the kind/],
    ['no variants', inputWith({ kind: 'variants' }), /Add a variant/],
    [
      'a variant called true',
      inputWith({ kind: 'variants', variants: [aVariant('true', 100)] }),
      /cannot be called true/,
    ],
    [
      'a variant like a holdout',
      inputWith({ kind: 'variants', variants: [aVariant('holdout-1', 100)] }),
      /cannot be called/,
    ],
    [
      'a variant nobody has',
      inputWith({ ...variants(100), ...setWith({ variant: 'blue' }) }),
      /variant “blue”, which the flag does not have/,
    ],
    ['a payload that is no JSON', inputWith({ payloads: { true: 'hello' } }), /not JSON/],
    ['a payload of nobody', inputWith({ payloads: { blue: '1' } }), /payload for “blue”/],
    [
      'a payload in an environment',
      inputWith({ environments: { staging: { payloads: { blue: '1' } } } }),
      /payload for “blue”/,
    ],
    ['a payload that gets lost', JSON.parse('{"key":"a","payloads":{"__proto__":"1"}}'), /is a reserved key/],
    [
      'an enormous payload',
      inputWith({ payloads: { true: JSON.stringify('x'.repeat(100_001)) } }),
      /at most 100,000/,
    ],
    ['a secret switch', inputWith({ isSecret: true }), /Only a configuration can be secret/],
    ['a secret for browsers', inputWith({ kind: 'config', isSecret: true }), /servers alone/],
    [
      'a device that signs in',
      inputWith({ bucketBy: { by: 'device' }, keepsThroughSignIn: true }),
      /for persons alone/,
    ],
    ['groups without a type', inputWith({ bucketBy: { by: 'group' } }), /Share out by/],
    [
      'an exploding pattern',
      inputWith(
        setWith({ conditions: [{ type: 'person', key: 'a', operator: 'regex', value: '(?:[^a]{30}){30}' }] }),
      ),
      /too large/,
    ],
    [
      'a pattern that looks behind',
      inputWith(setWith({ conditions: [{ type: 'person', key: 'a', operator: 'regex', value: '(?<=a)b' }] })),
      /looks ahead or behind/,
    ],
    [
      'no operator',
      inputWith(setWith({ conditions: [{ type: 'person', key: 'a', operator: 'like', value: 'x' }] })),
      /no operator "like"/,
    ],
    [
      'a condition on events',
      inputWith(setWith({ conditions: [{ type: 'event', key: 'a', operator: 'is_set' }] })),
      /A flag asks of persons/,
    ],
    ['a filter for a condition', inputWith(setWith({ conditions: [{ all: [] }] })), /A flag asks of persons/],
    ['nested without end', inputWith(setWith({ conditions: [deep] })), /A condition is on a property/],
    ['in a circle', inputWith(setWith({ conditions: [circular] })), /A condition is on a property/],
    ['no condition', inputWith(setWith({ conditions: [7] })), /A condition is on a property/],
    [
      'a dependency on a number',
      inputWith(setWith({ conditions: [{ type: 'flag', flag: 'a', value: 7 }] })),
      /A condition is on a property|Say true, false/,
    ],
    [
      'too many sets',
      inputWith({ environments: { production: { conditions: Array.from({ length: 101 }, () => ({})) } } }),
      /at most 100 condition sets/,
    ],
    [
      'too many conditions',
      inputWith(
        setWith({
          conditions: Array.from({ length: 101 }, () => ({ type: 'cohort', cohort: '1', operator: 'in' })),
        }),
      ),
      /at most 100 conditions/,
    ],
    [
      'an address that runs',
      inputWith({ earlyAccess: { name: 'A', stage: 'beta', documentationUrl: 'javascript:alert(1)' } }),
      /begins with https/,
    ],
  ])('%s', (_name, input, sentence) => expect(sentences(input).join(' ')).toMatch(sentence))
})

test('a third for each is well said', () => {
  expect(sentences(inputWith(variants(33.33, 33.33, 33.34)))).toEqual([])
})

test('problems name their field', () => {
  const read = parseInput(newFlag, inputWith({ ...variants(100), ...setWith({ variant: 'blue' }) }))
  expect(read.done ? [] : read.problems).toMatchObject([
    { field: 'environments.production.conditions.0.variant' },
  ])
})

describe('a change', () => {
  const flag = aFlag({
    key: 'f',
    description: 'before',
    earlyAccess: { name: 'F', description: '', stage: 'beta', documentationUrl: '' },
    environments: {
      production: { isOn: true, conditions: [aSet()], holdout: { id: 1, percentage: 5 }, payloads: {} },
      staging: { isOn: false, conditions: [], payloads: {} },
    },
  })
  const change = (input: unknown): Flag => changedFlag(flag, flagChange.parse(input))

  test('leaves what it does not name', () => {
    expect(change({})).toEqual(flag)
    expect(change({ description: 'after' })).toEqual({ ...flag, description: 'after' })
  })

  test('turns off without touching the sets', () => {
    const { environments } = change({ environments: { production: { isOn: false } } })
    expect(environments).toEqual({
      ...flag.environments,
      production: { ...flag.environments['production'], isOn: false },
    })
  })

  test('makes an environment that was never set', () => {
    expect(change({ environments: { constructor: { isOn: true } } }).environments['constructor']).toEqual({
      isOn: true,
      conditions: [],
      holdout: undefined,
      payloads: {},
    })
  })

  test('takes away with null', () => {
    const after = change({ earlyAccess: null, environments: { production: { holdout: null } } })
    expect(after.earlyAccess).toBeUndefined()
    expect(after.environments['production']?.holdout).toBeUndefined()
  })

  test('does not touch the key', () => expect(flagChange.safeParse({ key: 'other' }).success).toBe(false))
})

describe('among the other flags', () => {
  const asks = (flag: string, value: boolean | string = true): Condition => ({ type: 'flag', flag, value })
  const asking = (key: string, ...conditions: Condition[]) =>
    aFlag({ key, environments: inProduction({ conditions }) })
  const messages = (flag: Flag, others: Flag[]) => objectionsAmong(flag, others).map(({ message }) => message)

  test.each<[string, Flag, Flag[], string[]]>([
    ['nothing to say', asking('a', asks('b')), [aFlag({ key: 'b' })], []],
    ['itself', asking('a', asks('a')), [], ['A flag cannot depend on itself.']],
    [
      'nobody',
      asking('a', asks('b')),
      [],
      ['A condition asks about the flag “b”, which this project does not have.'],
    ],
    [
      'a circle',
      asking('a', asks('b')),
      [asking('b', asks('c')), asking('c', asks('a'))],
      ['Flags cannot depend on each other in a circle: a → b → c → a. Take one condition away.'],
    ],
    [
      'a variant it never gives',
      asking('a', asks('b', 'blue')),
      [aFlag({ key: 'b' })],
      ['A condition asks whether “b” gives “blue”, which it never does.'],
    ],
    ['how it was before', asking('a', asks('b')), [asking('a', asks('c')), aFlag({ key: 'b' })], []],
  ])('%s', (_name, flag, others, expected) => expect(messages(flag, others)).toEqual(expected))

  test('a circle elsewhere is not its own', () => {
    const all = new Map(
      [asking('a', asks('b')), asking('b', asks('c')), asking('c', asks('b'))].map((one) => [one.key, one]),
    )
    expect(circleThrough('a', all)).toBeUndefined()
    expect(circleThrough('b', all)).toEqual(['b', 'c'])
  })
})
