import { describe, expect, test } from 'vitest'
import { readFormula } from './formula'

function evaluate(text: string, values: (number | null)[]): number | null {
  const read = readFormula(text, values.length)
  if (!read.done) throw new Error(read.problems[0]?.message)
  return read.formula(values)
}

describe('a formula makes one number of several', () => {
  test.each<[string, (number | null)[], number | null]>([
    // formula                   A, B …           is
    ['A / B * 100', [1, 4], 25],
    ['a + b', [1, 2], 3],
    ['A - B - C', [9, 3, 2], 4],
    ['A / B / C', [12, 3, 2], 2],
    ['A + B * C', [1, 2, 3], 7],
    ['(A + B) * C', [1, 2, 3], 9],
    ['-A + 2', [5], -3],
    ['2 - -A', [5], 7],
    ['-(A - B)', [5, 2], -3],
    ['.5*A', [5], 2.5],
    ['min(A, B, 3)', [5, 4], 3],
    ['MAX(A, min(B, 9))', [5, 40], 9],
    ['max(A)', [5], 5],
    ['42', [1], 42],
    // results that cannot be known are unknown, and none is infinite
    ['A / B', [1, 0], null],
    ['A / B', [0, 0], null],
    ['A + B', [1, null], null],
    ['max(A, B)', [1, null], null],
    ['A * A', [1e200], null],
    ['A / B + 1', [1, 0], null],
  ])('%s of %j', (text, values, number) => {
    expect(evaluate(text, values)).toBe(number)
  })
})

describe('a mistake gets a sentence', () => {
  test.each([
    ['', 'The formula is empty.'],
    ['A +', 'In the formula, something is missing after "+".'],
    ['(A', 'In the formula, a ")" is missing.'],
    ['A)', 'In the formula, ")" is one too many.'],
    ['A B', 'In the formula, "B" is one too many.'],
    ['A * * B', 'In the formula, "*" is neither a series, a number, min nor max.'],
    ['revenue / A', 'In the formula, "revenue" is neither a series, a number, min nor max.'],
    ['A + C', 'The formula asks for C, but the series are A to B.'],
    ['min A', 'In the formula, "min" needs brackets: min(A, B).'],
    ['A % B', 'In the formula, "%" is one too many.'],
    ['constructor(A)', 'In the formula, "constructor" is neither a series, a number, min nor max.'],
    ['('.repeat(200), 'The formula has too many brackets in each other.'],
    ['-'.repeat(200), 'The formula has too many brackets in each other.'],
    ['9'.repeat(400), `In the formula, "${'9'.repeat(40)}…" is not a number.`],
  ])('%.30s', (text, sentence) => {
    expect(() => evaluate(text, [1, 2])).toThrow(sentence)
  })
})
