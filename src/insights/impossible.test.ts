import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { caseCount } from '#test/random/differential'
import { least, pointsOf, stories, insertProperties, tiers, wholeScope } from '#test/product/every-kind'
import { anEngine } from '#test/product/test-engine'
import { readQuery } from './ask'
import type { KindName } from './answered-query'
import { isKindName, kindNames } from './internal/kinds'
import type { QueryScope } from './scope'

const testEngine = anEngine()
let scope: QueryScope

beforeAll(async () => {
  const [story = []] = fc.sample(stories(40), { numRuns: 1, seed: 4 })
  const project = await testEngine.addProject(story)
  await insertProperties(testEngine, [project], tiers)
  scope = wholeScope(testEngine, project, false)
})

/** Returns the messages of a refused query, or “answered”. */
async function messageOf(query: unknown, within = scope): Promise<string> {
  const read = readQuery(query)
  const outcome = read.done ? await read.ready.answer(within) : read
  if (outcome.done) return 'answered'
  for (const { message } of outcome.problems) expectSentence(message)
  return outcome.problems.map(({ message }) => message).join(' ')
}

/** Expects a sentence that a person can act on, without words of the machine's own. */
function expectSentence(message: string) {
  expect(message).toMatch(/^["\p{Lu}\d].*[.)]$|^Write a query/su)
  expect(message).not.toMatch(/^invalid|expected .* received|zod|\[object|DB::/i)
  expect(message.length).toBeLessThan(1000)
}

const ask = (kind: KindName, more: object) =>
  messageOf({ kind, period: '2026-03-01..2026-03-07', ...least[kind], ...more })

const nested = (levels: number): unknown => {
  let one: unknown = { type: 'event', key: 'plan', operator: 'is_set' }
  for (let i = 0; i < levels; i++) one = { all: [one] }
  return one
}

const condition = (more: object) => ({ type: 'event', key: 'plan', operator: 'exact', value: 'p', ...more })
const megabyte = 'x'.repeat(1024 * 1024)

/** Queries that are refused by every kind; the message, or a part of it. */
const ofEveryKind: [what: string, more: object, wanted: RegExp][] = [
  ['a period without an end', { period: '2026-03-01..' }, /^Say a period as/],
  ['a period that is reversed', { period: '2026-03-07..2026-03-01' }, /period/i],
  ['a period that is empty', { period: '2026-03-01T00:00:00Z..2026-03-01T00:00:00Z' }, /period/i],
  ['a period before 1970', { period: '1969-01-01..1969-01-02' }, /period/i],
  ['a period at the beginning of time', { period: '0001-01-01..2026-01-01' }, /period/i],
  ['a period after 2200', { period: '2300-01-01..2300-01-02' }, /period/i],
  ['a day that is none', { period: '2026-02-30..2026-03-01' }, /period/i],
  ['a period that is a number', { period: 30 }, /^Say a period as/],
  ['a period that is nothing', { period: null }, /^Say a period as/],
  ['a period of a megabyte', { period: megabyte }, /period/i],
  ['ninety-nine thousand years', { period: '99999y' }, /answered|interval|period/i],
  ['a day in the year 2200', { period: '2200-12-31..2200-12-31' }, /answered/],
  ['the first day there is', { period: '1980-01-01..1980-01-01' }, /answered/],
  ['traffic nobody knows', { traffic: 'ghosts' }, /Choose one of human/],
  ['a word for a yes', { withoutTestAccounts: 'yes' }, /true or false/i],
]

const filtered: [what: string, filter: unknown, wanted: RegExp][] = [
  ['an unknown property', condition({ key: 'nobody knows' }), /answered/],
  ['an unknown property of sessions', condition({ type: 'session', key: 'nobody knows' }), /answered/],
  ['an unknown group type', condition({ type: 'group', group: 'nobody knows', key: 'size' }), /answered/],
  ['no group type', condition({ type: 'group', key: 'size' }), /group’s type/],
  ['an unknown cohort', { type: 'cohort', cohort: 'gone', operator: 'in' }, /There is no cohort "gone"/],
  [
    'an unknown cohort deep inside',
    { any: [condition({}), { all: [{ type: 'cohort', cohort: 'gone', operator: 'not_in' }] }] },
    /There is no cohort "gone"/,
  ],
  [
    'six types of groups',
    { all: [1, 2, 3, 4, 5, 6].map((n) => condition({ type: 'group', group: `g${n}` })) },
    /answered/,
  ],
  ['a condition that explodes', condition({ operator: 'regex', value: '(a+)+$' }), /answered/],
  [
    'one that explodes when compiled',
    condition({ operator: 'regex', value: '((a{99}){99}){99}' }),
    /pattern/,
  ],
  ['one that does not compile', condition({ operator: 'regex', value: '(' }), /not a regular expression/],
  ['one that looks ahead', condition({ operator: 'not_regex', value: '(?=a)' }), /looks ahead/],
  [
    'a thousand conditions',
    { all: Array.from({ length: 1000 }, () => condition({})) },
    /at most 100 conditions/,
  ],
  [
    'a hundred conditions',
    { any: Array.from({ length: 100 }, (_, i) => condition({ value: `v${i}` })) },
    /answered/,
  ],
  ['ten thousand levels', nested(10_000), /nested deeper than 5 times/],
  ['an operator nobody knows', condition({ operator: 'resembles' }), /no operator "resembles"/],
  ['an operator out of a prototype', condition({ operator: 'constructor' }), /no operator "constructor"/],
  ['a key out of a prototype', condition({ key: '__proto__' }), /answered/],
  ['a constructor', condition({ key: 'constructor' }), /answered/],
  ['a session’s constructor', condition({ type: 'session', key: 'constructor' }), /answered/],
  ['a key of a megabyte', condition({ key: megabyte }), /1 to 200 characters/],
  ['a value of a megabyte', condition({ value: megabyte }), /at most 10000 characters/],
  ['a number beyond numbers', condition({ operator: 'gt', value: 1e308 }), /answered/],
  ['no number', condition({ operator: 'between', value: [Number.NaN, 1] }), /answered|two numbers/],
  [
    'endless numbers',
    condition({ operator: 'between', value: [0, Number.POSITIVE_INFINITY] }),
    /answered|two numbers/,
  ],
  ['a thousand values', condition({ value: Array.from({ length: 1001 }, String) }), /at most 1000 values/],
  ['a list', [], /A filter is a condition/],
  ['nothing', null, /A filter is a condition/],
  ['a text', 'plan = p', /A filter is a condition/],
  ['a date that is none', condition({ operator: 'is_date_after', value: 'soon' }), /is no date/],
]

/** Returns the answer of each kind to a query with the same fields. */
const askEvery = async (more: object) =>
  Object.fromEntries(await Promise.all(kindNames.map(async (kind) => [kind, await ask(kind, more)] as const)))

const byEvery = (wanted: RegExp, other: Partial<Record<KindName, RegExp>> = {}) =>
  Object.fromEntries(kindNames.map((kind) => [kind, expect.stringMatching(other[kind] ?? wanted)]))

const inStatements = /Write the condition into the query/

test.each(ofEveryKind)('every kind, asked with %s', async (_, more, wanted) => {
  expect(await askEvery(more)).toEqual(byEvery(wanted))
})

test.each(filtered)('every kind, asked with a filter on %s', async (_, filter, wanted) => {
  expect(await askEvery({ filter })).toEqual(byEvery(wanted, { sql: inStatements }))
})

describe.each(kindNames)('%s', (kind) => {
  test('needs an object, not what else there is', async () => {
    for (const input of [kind, [kind], { ...least[kind], kind: [kind] }])
      expect(await messageOf(input)).toMatch(/^Say which kind/)
  })

  test('does not take just anything in place of what it is made of', async () => {
    const wrong = [null, 7, {}, [null], [[]], [{ event: {} }]]
    const requests = Object.keys(least[kind]).flatMap((part) =>
      wrong.map((one) => ask(kind, { [part]: one })),
    )
    expect(await Promise.all(requests)).not.toContain('answered')
  })

  test('whatever JSON it is asked with, nothing is thrown', async () => {
    const wild = fc.dictionary(fc.constantFrom(...wordsOf(kind)), fc.jsonValue({ maxDepth: 3 }), {
      maxKeys: 4,
    })
    await fc.assert(
      fc.asyncProperty(wild, fc.boolean(), async (more, whole) => {
        await messageOf({ kind, ...(whole && least[kind]), ...more })
      }),
      { numRuns: Math.ceil(caseCount / 50) },
    )
  })

  test('at an impossible point there is a sentence', async () => {
    const read = readQuery({ kind, period: '2026-03-01..2026-03-07', ...least[kind] })
    if (!read.done) throw new Error('not read')
    for (const point of [...impossiblePoints, ...(pointsOf[kind] ?? []).map((one) => farFrom(one))]) {
      const found = await read.ready.personsBehind?.(point, scope)
      for (const { message } of found?.done === false ? found.problems : []) expectSentence(message)
    }
  })
})

const impossiblePoints: unknown[] = [
  null,
  [],
  'a',
  {},
  1e308,
  { series: -1 },
  { step: 0.5 },
  { __proto__: null },
  { node: 7 },
]

const farFrom = (point: object) =>
  Object.fromEntries(
    Object.entries(point).map(([key, value]) => [key, typeof value === 'number' ? 99_999 : value]),
  )

const words =
  'period filter traffic compare interval limit per breakdown breakdowns goal steps series happening target window offset __proto__ constructor toString'

const wordsOf = (kind: KindName): string[] => [...words.split(' '), ...Object.keys(least[kind])]

const breakdownsOf = (kind: KindName, breakdown: object): object =>
  kind === 'trend' ? { breakdowns: [breakdown] } : { breakdown }

const step = { event: 'a' }

test.each<[KindName, string, object, RegExp]>([
  [
    'trend',
    'ten years by minute',
    { period: '10y', interval: 'minute' },
    /By minute .* Choose a longer interval/,
  ],
  [
    'funnel',
    'ten years by minute',
    { period: '10y', interval: 'minute', view: 'trend' },
    /By minute .* Choose/,
  ],
  ['totals', 'ten years by minute', { period: '10y', interval: 'minute' }, /Choose a longer interval/],
  ['breakdown', 'ten years by minute', { period: '10y', interval: 'minute' }, /Choose a longer interval/],
  ['lifecycle', 'ten years by hour', { period: '10y', interval: 'hour' }, /Choose a shorter period/],
  ['lifecycle', 'by minute', { interval: 'minute' }, /Choose one of hour, day/],
  ['retention', 'ten years by day', { period: '10y', interval: 'day' }, /Choose a shorter period/],
  ['stickiness', 'ten years by hour', { period: '10y', interval: 'hour' }, /Choose a shorter period/],
  ['funnel', 'one step', { steps: [step] }, /at least two steps/],
  ['funnel', 'no step', { steps: [] }, /at least two steps/],
  ['funnel', '21 steps', { steps: Array.from({ length: 21 }, () => step) }, /at most 20 steps/],
  ['funnel', '20 steps', { steps: Array.from({ length: 20 }, (_, i) => ({ event: `e${i}` })) }, /answered/],
  ['correlation', 'one step', { steps: [step] }, /at least two steps/],
  ['correlation', '21 steps', { steps: Array.from({ length: 21 }, () => step) }, /at most 20 steps/],
  ['funnel', 'a window of 100 years', { window: { amount: 1200, unit: 'month' } }, /at most two years/],
  ['funnel', 'a window of nothing', { window: { amount: 0, unit: 'day' } }, /longer than 0/],
  ['funnel', 'a window of almost endless time', { window: { amount: 1e308, unit: 'month' } }, /./],
  [
    'funnel',
    'an exclusion beyond its end',
    { exclusions: [{ event: 'c', from: 0, to: 7 }] },
    /ends at step 8/,
  ],
  [
    'funnel',
    'an unknown cohort in a step',
    { steps: [step, { event: 'b', filter: gone() }] },
    /no cohort "gone"/,
  ],
  [
    'retention',
    'an unknown cohort in its target',
    { target: { event: 'b', filter: gone() } },
    /no cohort "gone"/,
  ],
  [
    'totals',
    'an unknown cohort in its goal',
    { goal: { type: 'event', event: 'b', filter: gone() } },
    /no cohort/,
  ],
  [
    'trend',
    'an unknown cohort to break down by',
    breakdownsOf('trend', { type: 'cohort', cohorts: ['gone'] }),
    /no cohort "gone"/,
  ],
  [
    'funnel',
    'an unknown cohort to break down by',
    breakdownsOf('funnel', { type: 'cohort', cohorts: ['gone'] }),
    /no cohort "gone"/,
  ],
  [
    'trend',
    '5,000 values',
    { ...breakdownsOf('trend', { type: 'event', key: 'plan' }), limit: 5000 },
    /at most 100 values/,
  ],
  [
    'funnel',
    '5,000 values',
    { ...breakdownsOf('funnel', { type: 'event', key: 'plan' }), limit: 5000 },
    /at most 100 values/,
  ],
  [
    'retention',
    '5,000 values',
    { ...breakdownsOf('retention', { type: 'event', key: 'plan' }), limit: 5000 },
    /at most 100 values/,
  ],
  ['breakdown', '5,000 values', { limit: 5000 }, /1,000 at most/],
  ['vitals', '5,000 pages', { limit: 5000 }, /1,000 at most/],
  ['paths', '5,000 at a step', { top: 5000 }, /at most 50/],
  ['trend', 'no number of values', { limit: Number.NaN }, /Give a number/],
  ['trend', 'endless values', { limit: Number.POSITIVE_INFINITY }, /Give a number/],
  ['breakdown', 'very many values', { limit: 1e308 }, /./],
  ['breakdown', 'before the first value', { offset: -1 }, /./],
  ['trend', 'half a value', { limit: 0.5 }, /whole number/],
  [
    'trend',
    'an unknown property',
    breakdownsOf('trend', { type: 'person', key: 'nobody knows' }),
    /answered/,
  ],
  [
    'trend',
    'an unknown group type',
    breakdownsOf('trend', { type: 'group', group: 'gone', key: 'size' }),
    /answered/,
  ],
  ['trend', 'a breakdown of no type', breakdownsOf('trend', { type: 'planet', key: 'mars' }), /./],
  [
    'trend',
    'ranges of no numbers',
    breakdownsOf('trend', { type: 'event', key: '$browser', bins: 5 }),
    /answered/,
  ],
  [
    'trend',
    'a sum of nothing',
    { series: [{ event: 'a', measure: { math: 'sum' } }] },
    /Say of which property/,
  ],
  ['trend', 'no such math', { series: [{ event: 'a', measure: { math: 'magic' } }] }, /Choose one of total/],
  [
    'trend',
    'groups of no type',
    { series: [{ event: 'a', measure: { math: 'groups' } }] },
    /which type of groups/,
  ],
  ['trend', 'a formula that ends too soon', { formulas: [{ text: 'A /' }] }, /something is missing/],
  ['trend', 'a formula about nothing', { formulas: [{ text: '' }] }, /Write a formula/],
  ['trend', 'a formula of no series', { formulas: [{ text: 'A / B' }] }, /the only series is A/],
  ['trend', 'a formula that is a program', { formulas: [{ text: 'process.exit()' }] }, /neither a series/],
  ['trend', 'a formula out of a prototype', { formulas: [{ text: 'constructor(A)' }] }, /neither a series/],
  ['trend', 'a formula of brackets alone', { formulas: [{ text: '('.repeat(150) }] }, /too many brackets/],
  ['trend', 'a formula divided by zero', { formulas: [{ text: 'A / 0' }] }, /answered/],
  ['trend', 'a formula of a megabyte', { formulas: [{ text: megabyte }] }, /200 characters at most/],
  ['trend', 'a name of a megabyte', { series: [{ event: megabyte }] }, /over 200 characters/],
  ['trend', 'no series', { series: [] }, /at least one event/],
  ['trend', 'a thousand series', { series: Array.from({ length: 1000 }, () => step) }, /at most 10 series/],
  ['breakdown', 'a dimension out of a prototype', { dimensions: ['constructor'] }, /./],
  ['breakdown', 'no dimension', { dimensions: [] }, /Name a dimension/],
  ['breakdown', 'a search of a megabyte', { search: megabyte }, /200 characters at most/],
  ['totals', 'a goal without a page', { goal: { type: 'page' } }, /This is missing/],
  ['totals', 'a goal of nothing', { goal: { type: 'luck' } }, /./],
  ['totals', 'a page of stars', { goal: { type: 'page', path: `/${'*'.repeat(400)}x` } }, /answered/],
  ['paths', 'pages by patterns of stars', { groups: [{ pattern: `${'*a'.repeat(200)}*` }] }, /answered/],
  ['paths', 'events among pages', { events: ['a'] }, /take no list of events/],
  ['paths', 'one step', { steps: 1 }, /at least two steps/],
  ['trend', 'a comparison with nothing', { compare: 'yesteryear' }, /Compare with/],
  ['trend', 'a comparison with a reversed period', { compare: '2026-02-02..2026-01-01' }, /Compare with/],
  [
    'trend',
    'a comparison long ago',
    { period: '1980-01-01..2200-12-31', interval: 'month', compare: 'previous' },
    /answered/,
  ],
  [
    'totals',
    'a comparison long ago',
    { period: '1980-01-01..2200-12-31', interval: 'month', compare: 'previous' },
    /answered/,
  ],
  ['sql', 'no statement', { text: '' }, /./],
  ['sql', 'a statement of a megabyte', { text: megabyte }, /at most 20000 characters/],
  ['sql', 'a table that is not there', { text: 'select * from users' }, /./],
])('%s: %s', async (kind, _, more, wanted) => {
  expect(await ask(kind, more)).toMatch(wanted)
})

test.each(['1901-01-01T00:00:00Z', '2290-01-01T00:00:00Z'])(
  'since a first event whose clock said %s, every kind has an answer or a sentence',
  async (first) => {
    const odd = { ...scope, firstEventAt: async () => new Date(first) }
    const all = kindNames.map((kind) => messageOf({ kind, ...least[kind], period: 'all' }, odd))
    expect(await Promise.all(all)).toHaveLength(kindNames.length)
  },
)

function gone() {
  return { type: 'cohort', cohort: 'gone', operator: 'in' }
}

test.each<[string, unknown]>([
  ['nothing', null],
  ['no question at all', undefined],
  ['a list', []],
  ['a number', Number.NaN],
  ['a text', 'trend'],
  ['a kind nobody knows', { kind: 'oracle' }],
  ['a kind out of a prototype', { kind: 'constructor' }],
  ['a prototype', JSON.parse('{"__proto__": {"kind": "trend"}}')],
  ['ten thousand levels', JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`)],
])('%s is no query, and a sentence says which there are', async (_, input) => {
  expect(await messageOf(input)).toMatch(/^Say which kind of question it is: trend, funnel/)
})

test('whatever JSON is asked, nothing is thrown', async () => {
  const wild = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom('kind', '__proto__'), fc.jsonValue()))
  await fc.assert(
    fc.asyncProperty(wild, async (input) => void (await messageOf(input))),
    { numRuns: Math.ceil(caseCount / 2) },
  )
  expect(isKindName('__proto__')).toBe(false)
})
