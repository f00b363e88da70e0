import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import vectors from '#test/vectors/flag-operators.json' with { type: 'json' }
import { render, sql } from '#engine/sql'
import type { Json } from '#events/event'
import { runs } from '#test/random/chance'
import { expectLinear } from '#test/running/growth'
import { type FilterAnswer, compile, type Filter, filter, matches, type FilterSubject, where } from './filter'
import { filterInWords } from './words'
import { relativeMoment } from './moments'
import { isOperator, operatorNames } from './vocabulary'

const now = new Date('2026-11-21T12:00:00Z')

/** A visitor with these properties; all else is unknown. */
const somebody = (
  properties: Record<string, Json | undefined>,
  cohorts: Record<string, FilterAnswer> = {},
): FilterSubject => ({
  property: ({ key }) => ({ known: Object.hasOwn(properties, key), value: properties[key] }),
  cohort: ({ cohort }) => cohorts[cohort] ?? 'unknown',
})

const person = (key: string, operator: string, value?: Json): Filter => {
  if (!isOperator(operator)) throw new Error(`There is no operator ${operator}.`)
  return { type: 'person', key, operator, value }
}

describe('PostHog’s own cases', () => {
  test('are all here, and so are its operators', () => {
    expect(vectors.match_property).toHaveLength(156)
    expect(vectors.relative_dates).toHaveLength(11)
    expect(vectors.operators.filter((name) => !isOperator(name))).toEqual([])
  })

  interface Case {
    filter: { key: string; operator?: string; value?: Json }
    properties: Record<string, Json>
    expected: boolean | 'inconclusive'
    now?: string
  }

  // the file is wider than what TypeScript makes of it: its properties differ from case to case
  test.each((vectors.match_property as unknown as Case[]).map((one) => [JSON.stringify(one), one] as const))(
    '%s',
    (_name, { filter: { key, operator = 'exact', value }, properties, expected, now: frozen }) => {
      const subject = somebody(
        Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, plain(one)])),
      )
      const answer = matches(person(key, operator, value), subject, frozen ? new Date(frozen) : now)
      expect(answer).toBe(expected === 'inconclusive' ? 'unknown' : expected)
    },
  )

  test.each(vectors.relative_dates)('$input before $now is $expected', ({ now: from, input, expected }) => {
    const then = relativeMoment(input, new Date(from))
    expect(then ?? null).toBe(expected === null ? null : Date.parse(expected))
  })
})

/** Python's dates and times, which here are texts. */
function plain(value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return value['$date'] ?? value['$datetime'] ?? value
}

describe('what is not there', () => {
  const holds = operatorNames.filter((name) =>
    matches(person('plan', name, '1'), somebody({ plan: undefined }), now),
  )

  test('and is known not to be, only what denies something holds of', () => {
    expect(holds).toEqual([
      'is_not',
      'not_icontains',
      'not_starts_with',
      'not_ends_with',
      'not_regex',
      'semver_neq',
      'is_not_set',
    ])
  })

  test.each(operatorNames)('and may yet be, no one can say whether it %s', (name) => {
    expect(matches(person('plan', name, '1'), somebody({}), now)).toBe('unknown')
  })
})

describe('null', () => {
  test.each(operatorNames.filter((name) => name !== 'is_not'))('is as good as nothing there: %s', (name) => {
    const [asNull, asNothing] = [null, undefined].map((plan) =>
      matches(person('plan', name, '1'), somebody({ plan }), now),
    )
    expect(asNull).toBe(asNothing)
  })
})

test.each(operatorNames)('a value made to be slow takes no longer than it is: %s', async (name) => {
  const condition = person('plan', name, '1.2')
  await expectLinear((size) => {
    const hostile = ['1-', ' ', '1.', '[é', 'a', '1', '\\'].map(
      (one) => `${one.repeat(size)}${' '.repeat(size)}\nx`,
    )
    const subjects = [...hostile, `1-${' '.repeat(2 * size)}\nx`].map((plan) => somebody({ plan }))
    return () => {
      for (const subject of subjects) matches(condition, subject, now)
    }
  }, 2000)
})

describe('all and any', () => {
  const yes = person('known', 'is_set')
  const no = person('known', 'is_not_set')
  const unknown = person('other', 'is_set')

  test.each<[string, Filter, FilterAnswer]>([
    ['all of nothing', { all: [] }, true],
    ['any of nothing', { any: [] }, false],
    ['all, one not', { all: [yes, unknown, no] }, false],
    ['all, one unknown', { all: [yes, unknown] }, 'unknown'],
    ['any, one holds', { any: [no, unknown, yes] }, true],
    ['any, one unknown', { any: [no, unknown] }, 'unknown'],
    ['nested', { all: [{ any: [no, yes] }, { all: [yes] }] }, true],
    ['in a cohort', { type: 'cohort', cohort: 'a', operator: 'in' }, true],
    ['not in a cohort', { type: 'cohort', cohort: 'a', operator: 'not_in' }, false],
    ['in a cohort nobody knows', { type: 'cohort', cohort: 'b', operator: 'not_in' }, 'unknown'],
  ])('%s', (_name, one, answer) => {
    expect(compile(one)(somebody({ known: 'x' }, { a: true }), now)).toBe(answer)
  })
})

describe('between, on a day, on patterns', () => {
  test.each<[string, Json, Json, FilterAnswer]>([
    // operator      wanted                 actual                  answer
    ['between', [1, 10], 1, true],
    ['between', [1, 10], '10', true],
    ['between', ['1', '10'], 5.5, true],
    ['between', [1, 10], 10.01, false],
    ['between', [1, 10], 'five', false],
    ['is_date_exact', '2026-11-20', '2026-11-20T23:59:59Z', true],
    ['is_date_exact', '2026-11-20', '2026-11-21', false],
    ['is_date_exact', '-1d', '2026-11-20T00:00:00Z', true],
    ['is_date_exact', '-1h', '2026-11-21T11:59:00Z', true],
    ['is_date_exact', '2026-11-20T10:00:00', '2026-11-20T10:00:01', false],
    ['is_date_after', '2026-11-20', '2026-02-31', 'unknown'],
    ['regex', '^a.c$', 'a\nc', false],
    ['regex', '(a+)+$', `${'a'.repeat(50_000)}!`, false],
    ['semver_wildcard', '1.2', '1.2.9', true],
    ['semver_wildcard', '1.2.3', '1.2.4', false],
    ['exact', 'STRASSE', 'straße', true],
    ['exact', ['a', true], true, true],
    ['icontains', '"b"', { a: ['b'] }, true],
  ])('%s %j: %j', (operator, wanted, actual, answer) => {
    expect(matches(person('it', operator, wanted), somebody({ it: actual }), now)).toBe(answer)
  })
})

describe('a filter from outside', () => {
  const condition = (operator: string, value?: unknown) => ({ type: 'event', key: 'plan', operator, value })
  const nested = (depth: number): unknown =>
    JSON.parse(`${'{"all":['.repeat(depth)}${JSON.stringify(condition('is_set'))}${']}'.repeat(depth)}`)

  test.each<[string, unknown]>([
    ['one condition', condition('exact', ['a', 1, true])],
    ['a cohort', { type: 'cohort', cohort: '12', operator: 'not_in' }],
    ['nothing asked', { all: [] }],
    ['five levels', nested(5)],
    ['a hundred conditions', { any: Array.from({ length: 100 }, () => condition('is_set')) }],
    ['a thousand values', condition('exact', Array.from({ length: 1000 }, String))],
    ['a wildcard', condition('semver_wildcard', '1.*')],
    ['a group', { type: 'group', group: 'company', key: 'plan', operator: 'gt', value: 3 }],
  ])('is taken as it is: %s', (_name, value) => {
    expect(filter.parse(value)).toEqual(value)
  })

  test.each<[RegExp, unknown]>([
    [/A filter is a condition, or/, 'nonsense'],
    [/A condition has a type/, { type: 'planet', key: 'a', operator: 'exact', value: 1 }],
    [/Unrecognized key: "extra"/, { ...condition('is_set'), extra: 1 }],
    [/There is no operator "contains"\. There are: exact, /, condition('contains', 'a')],
    [/There is no operator "toString"/, condition('toString', 'a')],
    [/^Condition on "plan": "exact" needs a value\.$/, condition('exact')],
    [/"exact" needs a value/, condition('exact', null)],
    [/a list of them that is not empty/, condition('exact', [])],
    [/the value is a text, a number, a boolean/, condition('exact', [{}])],
    [/takes one value, not a list/, condition('icontains', ['a'])],
    [/"1\.\*" is no version/, condition('semver_eq', '1.*')],
    [/"latest" stands for no versions/, condition('semver_wildcard', 'latest')],
    [/at most 1000 values, this one 1001/, condition('exact', Array.from({ length: 1001 }, String))],
    [/at most 10000 characters/, condition('exact', 'x'.repeat(10_001))],
    [/two numbers/, condition('between', [1])],
    [/a number or a text/, condition('gt', true)],
    [/"yesterday" is no date\. Write it like 2026-11-21/, condition('is_date_before', 'yesterday')],
    [/is no date/, condition('is_date_before', '2026-02-31')],
    [/"latest" is no version\. Write it like 1\.2\.3/, condition('semver_gt', 'latest')],
    [/"\(a" is not a regular expression \(missing closing \)\)/, condition('regex', '(a')],
    [/looks ahead or behind/, condition('regex', '(?<!a)b')],
    [/refers back/, condition('regex', '(a)\\1')],
    [/is too large/, condition('regex', '(?:\\pL{50}){20}')],
    [/longer than 1000 characters/, condition('not_regex', 'a'.repeat(1001))],
    [/1 to 200 characters; this one has 201/, { ...condition('is_set'), key: 'k'.repeat(201) }],
    [/1 to 200 characters/, { ...condition('is_set'), key: '' }],
    [/say the group’s type/, { ...condition('is_set'), type: 'group' }],
    [/at least one condition in "any"/, { any: [] }],
    [/nested deeper than 5 times/, nested(6)],
    [/There is no operator "nope"/, { all: [{ any: [condition('nope', 1)] }] }],
    [/at most 100 conditions/, { all: Array.from({ length: 101 }, () => condition('is_set')) }],
  ])('is refused with a sentence: %s', (sentence, value) => {
    const { success, error } = filter.safeParse(value)
    expect(success).toBe(false)
    expect(error?.issues.map(({ message }) => message).join('\n')).toMatch(sentence)
  })
})

test('what is nested without end is refused before anybody looks at its end', () => {
  const endless = JSON.parse(`${'[{"all":'.repeat(50_000)}1${'}]'.repeat(50_000)}`) as Json
  for (const given of [{ all: endless }, { type: 'event', key: 'a', operator: 'exact', value: endless }])
    expect(filter.safeParse(given).success).toBe(false)
})

test('anything at all is refused or can be asked, said and decided', () => {
  const operator = fc.constantFrom(...operatorNames, 'nope')
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom('-7d', '1.2.3', 'a+', '2026-11-21', 5, [1, 2]),
  )
  const condition = fc.record({
    type: fc.constantFrom('event', 'person', 'planet'),
    key: fc.string(),
    operator,
    value,
  })
  const { any } = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 7 },
      condition,
      fc.jsonValue(),
      fc.record({ all: fc.array(tie('any')) }),
      fc.record({ any: fc.array(tie('any')) }),
    ),
  }))
  const column = { text: sql`it`, isSet: sql`true` }
  let taken = 0
  fc.assert(
    // fast-check's JSON is ours by another name
    fc.property(any, fc.jsonValue() as fc.Arbitrary<Json>, (given, actual) => {
      const { data } = filter.safeParse(given)
      if (!data) return
      taken++
      const subject: FilterSubject = {
        property: () => ({ known: true, value: plain(actual) }),
        cohort: () => 'unknown',
      }
      expect([true, false, 'unknown']).toContain(matches(data, subject, now))
      expect(filterInWords(data)).not.toBe('')
      render(where(data, { property: () => column, cohort: () => sql`false` }, now))
    }),
    { numRuns: runs(500) },
  )
  expect(taken).toBeGreaterThan(25)
})

describe('in words', () => {
  const labels = (key: string) => ({ $browser: 'Browser', $country: 'Country' })[key] ?? key
  const browser = person('$browser', 'exact', ['Chrome', 'Firefox'])
  const country = person('$country', 'is_not_set')

  test.each<[Filter, string]>([
    [{ all: [browser, country] }, 'Browser is Chrome or Firefox and Country is not set'],
    [
      { all: [country, { any: [browser, country] }] },
      'Country is not set and (Browser is Chrome or Firefox or Country is not set)',
    ],
    [{ any: [{ all: [country] }] }, 'Country is not set'],
    [person('age', 'between', [1, 5]), 'age is between 1 and 5'],
    [person('seen', 'is_date_before', '-7d'), 'seen is before 7 days ago'],
    [person('seen', 'is_date_after', '1h'), 'seen is after 1 hour ago'],
    [person('name', 'exact', ''), 'name is “”'],
    [person('is paying', 'exact', true), 'is paying is true'],
    [{ type: 'cohort', cohort: '12', operator: 'not_in' }, 'is not in cohort 12'],
    [{ all: [] }, 'anything'],
  ])('%j', (one, words) => {
    expect(filterInWords(one, labels)).toBe(words)
  })
})
