import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import awkward from '#test/vectors/awkward-texts.json' with { type: 'json' }
import { floats, type Sql, sql, strings } from '#engine/sql'
import { anEngine } from '#test/product/test-engine'
import type { Json } from '#events/event'
import { runs } from '#test/random/chance'
import { type FilterColumn, filter, matches, type PropertyCondition, where } from './filter'
import { numberIn, numberOf } from './numbers'
import { operators } from './operators'
import { foldCase, foldCaseIn, textOf } from './internal/text-values'
import { type OperatorName, operatorNames, type OperandKind, vocabulary } from './vocabulary'

const tested = anEngine()

const now = new Date('2026-11-21T12:34:56.789Z')

const { numbers, dates, versions, patterns } = awkward
const relative = ['-1d', '1d', '2h', '-1w', '1m', '-12m', '1y', '9999y', '-0d', '1s', 'soon', '000002d']
/** Halves of characters, which a JSON file cannot carry, among what it can. */
const words = [...awkward.words, '\ud83d', '\udc69a', 'x'.repeat(5000)]
const actuals = [...new Set([...words, ...numbers, ...dates, ...versions].map(textOf))]

/** The operands that operators are asked with: suitable ones, and enough of those that are not. */
const wanteds: Record<OperandKind, readonly Json[]> = {
  nothing: ['ignored'],
  one: [...words, ...numbers, 4, 0.1, true, false],
  many: [...words, ...numbers, 4, 1e21, true, ['a', 'İ', 'ß'], ['', 1, true], actuals],
  number: [...numbers, ...words.slice(0, 60), 0, 1, -1.5, 30, 0.1, 1e21],
  range: [[0, 1], [-1, 1000], ['0.1', '30'], [1, 0], [0.1, 0.1], [-1e300, 1e300], ['a', 1], 'a', [1]],
  date: [...dates, ...relative, 1, true],
  version: [...versions, '1.*', '1.2.*', '1.2.3.*', '*', '1.*.*', 'v2.*', '01.*', 1.2, 1, true, 'latest'],
  pattern: patterns,
}

const asked = (operator: OperatorName, value: Json): PropertyCondition => ({
  type: 'event',
  key: 'it',
  operator,
  value,
})

/** Returns memory's answer; as in insights, the operator decides the unknown. */
function inMemory(condition: PropertyCondition, value: Json | undefined): boolean {
  const answer = matches(
    condition,
    { property: () => ({ known: true, value }), cohort: () => 'unknown' },
    now,
  )
  return answer === 'unknown' ? operators[condition.operator].otherwise : answer
}

const conditionOn = (condition: PropertyCondition, column: FilterColumn): Sql =>
  where(condition, { property: () => column, cohort: () => sql`false` }, now)

/** Returns the engine's answer for every value to every condition, in one statement for many conditions. */
async function inEngine(
  conditions: readonly PropertyCondition[],
  column: FilterColumn,
  values: Sql,
): Promise<boolean[][]> {
  const answers: boolean[][] = []
  for (let start = 0; start < conditions.length; start += 40) {
    const part = conditions.slice(start, start + 40)
    const [row] = await tested.engine().query<{ answers: number[][] }>(sql`
      select arrayMap(it -> array(${sql.join(part.map((one) => sql`toUInt8(${conditionOn(one, column)})`))}), ${values}) as answers`)
    part.forEach((_, i) => answers.push((row?.answers ?? []).map((ofValue) => ofValue[i] === 1)))
  }
  return answers
}

interface Disagreement {
  condition: string
  actual: string
  memory: boolean
  engine: boolean | undefined
}

async function disagreements(
  conditions: readonly PropertyCondition[],
  values: readonly Json[],
  column: FilterColumn,
  bound: Sql,
): Promise<Disagreement[]> {
  const answers = await inEngine(conditions, column, bound)
  return conditions.flatMap((condition, i) =>
    values.flatMap((actual, j) => {
      const [memory, engineAnswer] = [inMemory(condition, actual), answers[i]?.[j]]
      return memory === engineAnswer
        ? []
        : [
            {
              condition: JSON.stringify(condition),
              actual: JSON.stringify(actual),
              memory,
              engine: engineAnswer,
            },
          ]
    }),
  )
}

const present: FilterColumn = { text: sql`it`, isSet: sql`true` }
const byOperator = (operator: OperatorName) =>
  wanteds[vocabulary[operator].takes].map((value) => asked(operator, value))

describe('memory and engine agree', () => {
  test.each(operatorNames)('on every text there is: %s', async (operator) => {
    expect(await disagreements(byOperator(operator), actuals, present, strings(actuals))).toEqual([])
  })

  test.each(operatorNames)('on what is not there: %s', async (operator) => {
    const absent: FilterColumn = { text: sql`it`, isSet: sql`it != ''` }
    const conditions = byOperator(operator)
    const answers = await inEngine(conditions, absent, strings(['']))
    expect(answers.flat()).toEqual(conditions.map((condition) => inMemory(condition, undefined)))
  })

  test.each(['gt', 'gte', 'lt', 'lte', 'between'] as const)(
    'on numbers kept as numbers: %s',
    async (operator) => {
      const values = [0, 1, -1, 3, 30, 100, 0.1, 0.30000000000000004, 1e21, -1.5, 2 ** 53, 5e-324]
      const column: FilterColumn = { text: sql`toString(it)`, isSet: sql`true`, number: sql`it` }
      const conditions = byOperator(operator).filter(({ value }) => isNumeric(value))
      expect(await disagreements(conditions, values, column, floats(values))).toEqual([])
    },
  )

  test.each(['gt', 'gte', 'lt', 'lte'] as const)('on numbers that became text: %s', async (operator) => {
    const values = actuals.map((text) => numberOf(text) ?? text)
    const column: FilterColumn = { ...present, number: numberIn(sql`it`) }
    const conditions = byOperator(operator).filter(({ value }) => isNumeric(value))
    expect(await disagreements(conditions, values, column, strings(actuals))).toEqual([])
  })

  test('on texts the engine keeps in other ways', async () => {
    const conditions = operatorNames.flatMap((operator) => byOperator(operator).slice(0, 12))
    const ways = [sql`toLowCardinality(it)`, sql`map('key', it)['key']`, sql`toString(it)`]
    for (const text of ways)
      expect(await disagreements(conditions, actuals, { text, isSet: sql`true` }, strings(actuals))).toEqual(
        [],
      )
  })

  test('on columns of a table', async () => {
    const engine = tested.engine()
    await engine.command(
      sql`create table words (it LowCardinality(String), more Map(String, String)) engine = Memory`,
    )
    onTestFinished(() => engine.command(sql`drop table words`))
    await engine.command(sql`insert into words select arrayJoin(${strings(actuals)}) as it, map('it', it)`)
    const conditions = operatorNames.flatMap((operator) => byOperator(operator).slice(10, 16))
    const columns: FilterColumn[] = [present, { text: sql`more['it']`, isSet: sql`mapContains(more, 'it')` }]
    for (const column of columns) {
      for (const condition of conditions) {
        const found = await engine.query<{ it: string }>(
          sql`select it from words where ${conditionOn(condition, column)}`,
        )
        const expected = actuals.filter((actual) => inMemory(condition, actual))
        expect(new Set(found.map(({ it }) => it)), JSON.stringify(condition)).toEqual(new Set(expected))
      }
    }
  })

  test('on case, for every character there is', async () => {
    const all = Array.from({ length: 0x110000 }, (_, point) => point)
      .filter((point) => point > 0 && (point < 0xd800 || point > 0xdfff))
      .map((point) => String.fromCodePoint(point))
    for (let start = 0; start < all.length; start += 50_000) {
      const part = all.slice(start, start + 50_000)
      const [row] = await tested
        .engine()
        .query<{ answers: string[] }>(
          sql`select arrayMap(it -> ${foldCaseIn(sql`it`)}, ${strings(part)}) as answers`,
        )
      expect(row?.answers).toEqual(part.map(foldCase))
    }
  })

  test('on random texts', async () => {
    const pieces = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 6 }),
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom(...words.filter(({ length }) => length < 10), ...numbers, ...dates, ...versions),
      fc.double().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    )
    const text = fc.array(pieces, { maxLength: 3 }).map((parts) => textOf(parts.join('')))
    const texts = fc.array(text, { minLength: 30, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(texts, fc.array(text, { minLength: 4, maxLength: 4 }), async (values, sought) => {
        const conditions = operatorNames.flatMap((operator) =>
          [...sought, values[0]?.slice(0, 3) ?? '', values[1] ?? ''].map((value) =>
            asked(operator, textOf(value)),
          ),
        )
        expect(await disagreements(conditions, values, present, strings(values))).toEqual([])
      }),
      { numRuns: runs(15) },
    )
  })

  test('on random patterns, as far as they are accepted', async () => {
    const atom = fc.constantFrom(
      'a',
      'B',
      '1',
      'k',
      'ß',
      '.',
      '\\d',
      '\\W',
      '\\s',
      '[a-c]',
      '[^b]',
      '\\pL',
      '\\x41',
      '(?i)',
      '(?s)',
      '\\b',
      '^',
      '$',
      '👩',
      '\\.',
      '-',
      'x{2}',
    )
    const repeat = fc.constantFrom('', '', '', '*', '+', '?', '{1,3}', '*?', '+?')
    const { expression } = fc.letrec<{ expression: string }>((tie) => ({
      expression: fc.oneof(
        { maxDepth: 3 },
        fc.tuple(atom, repeat).map((parts) => parts.join('')),
        fc.tuple(tie('expression'), tie('expression')).map((parts) => parts.join('')),
        fc.tuple(tie('expression'), tie('expression')).map((parts) => `(?:${parts.join('|')})`),
        fc.tuple(tie('expression'), repeat).map(([inner, times]) => `(${inner})${times}`),
      ),
    }))
    const values = actuals.filter(({ length }) => length < 100)
    await fc.assert(
      fc.asyncProperty(fc.array(expression, { minLength: 20, maxLength: 40 }), async (sources) => {
        const conditions = sources.map((source) => asked('regex', source))
        const accepted = conditions.filter((condition) => filter.safeParse(condition).success)
        expect(await disagreements(accepted, values, present, strings(values))).toEqual([])
      }),
      { numRuns: runs(15) },
    )
  })
})

const isNumeric = (value: Json | undefined): boolean =>
  Array.isArray(value) ? value.every(isNumeric) : value !== undefined && numberOf(value) !== undefined

describe('whatever is accepted, the engine can answer', () => {
  test.each([
    '\\pL{290}',
    '(?:\\PL{10}){29}',
    '(?i)\\pL{290}',
    '[^a]{290}',
    '(?i)[א-ת]{280}',
    '\\x{10FFFF}{290}',
    '.{990}',
    '(?:.{30}){30}',
    '(?s).{1000}',
    'é'.repeat(1000),
    '(?i:a){290}',
    '\\W{280}',
    '[\\x{80}-\\x{10FFFF}]{290}',
    '[[:^alpha:]]{290}',
    '(?:\\S{10}){28}',
    '[\\pL]{290}',
    '(?:.{10}|.{20}){40}',
  ])('the largest patterns: %s', async (source) => {
    const condition = asked('regex', source)
    expect(filter.safeParse(condition).success).toBe(true)
    expect(
      await disagreements([condition], ['a', 'é'.repeat(1000)], present, strings(['a', 'é'.repeat(1000)])),
    ).toEqual([])
  })

  test('a thousand long values', async () => {
    const condition = asked(
      'exact',
      Array.from({ length: 1000 }, (_, i) => `${i}${'ü'.repeat(300)}`),
    )
    const values = ['x', `7${'Ü'.repeat(300)}`]
    expect(await disagreements([condition], values, present, strings(values))).toEqual([])
  })

  test('a hundred conditions', async () => {
    const all = Array.from({ length: 100 }, (_, i) =>
      asked(operatorNames[i % operatorNames.length] ?? 'exact', '1.2'),
    )
    const column: FilterColumn = { ...present, number: numberIn(sql`it`) }
    const condition = where(
      { any: [{ all }, { any: all }] },
      { property: () => column, cohort: () => sql`false` },
      now,
    )
    const [row] = await tested
      .engine()
      .query<{ it: number }>(sql`select toUInt8(${condition}) as it from (select '1.2' as it)`)
    expect(row?.it).toBe(1)
  })
})
