import { type Outcome, failedOutcome } from '#projects/problems'
import { seriesLetter } from './series-letters'

/**
 * Computes a number from those of the series, in their order; null if there is none, for example after a division by
 * zero.
 */
export type Formula = (values: readonly (number | null)[]) => number | null

/** Reads "A / B * 100": letters for series, numbers, + - * / ( ), min() and max(). */
export function readFormula(text: string, series: number): Outcome<{ formula: Formula }> {
  try {
    return { done: true, formula: new FormulaParser(text, series).whole() }
  } catch (mistake) {
    if (mistake instanceof FormulaError) return failedOutcome(mistake.message, 'formulas')
    throw mistake
  }
}

/** A mistake in a formula, as a sentence for users. */
class FormulaError extends Error {}

type Step = (one: number, other: number) => number

const sums: Record<string, Step> = { '+': (one, other) => one + other, '-': (one, other) => one - other }
const products: Record<string, Step> = { '*': (one, other) => one * other, '/': (one, other) => one / other }
const choices: Record<string, (...numbers: number[]) => number> = { min: Math.min, max: Math.max }

/** Limits nesting, because the parser is recursive. */
const deepest = 50

/** A parser from left to right; each method parses operators that bind tighter than the previous one's. */
class FormulaParser {
  private readonly words: readonly string[]
  private at = 0
  private depth = 0

  constructor(
    text: string,
    private readonly series: number,
  ) {
    this.words = text.match(/\d+(?:\.\d+)?|\.\d+|[a-z_]+|\S/giu) ?? []
  }

  whole(): Formula {
    const formula = this.sum()
    if (this.at < this.words.length)
      throw new FormulaError(`In the formula, "${shown(this.words[this.at] ?? '')}" is one too many.`)
    return formula
  }

  private sum(): Formula {
    return this.chain(sums, () => this.product())
  }

  private product(): Formula {
    return this.chain(products, () => this.signed())
  }

  private chain(steps: Record<string, Step>, part: () => Formula): Formula {
    let formula = part()
    for (let step = stepIn(steps, this.word); step; step = stepIn(steps, this.word)) {
      this.at++
      formula = combined([formula, part()], step)
    }
    return formula
  }

  private signed(): Formula {
    if (!this.takes('-')) return this.single()
    return combined([this.deeper(() => this.signed())], (number) => -number)
  }

  private single(): Formula {
    const word = this.next()
    if (word === '(') return this.closed(() => this.sum())
    if (/^[\d.]/.test(word)) return numeral(word)
    const choose = stepIn(choices, word.toLowerCase())
    return choose ? this.choice(word, choose) : this.letter(word)
  }

  private choice(word: string, choose: (...numbers: number[]) => number): Formula {
    if (!this.takes('(')) throw new FormulaError(`In the formula, "${word}" needs brackets: ${word}(A, B).`)
    return this.closed(() => {
      const parts = [this.sum()]
      while (this.takes(',')) parts.push(this.sum())
      return combined(parts, choose)
    })
  }

  private closed(read: () => Formula): Formula {
    const formula = this.deeper(read)
    if (!this.takes(')')) throw new FormulaError('In the formula, a ")" is missing.')
    return formula
  }

  private deeper(read: () => Formula): Formula {
    if (++this.depth > deepest) throw new FormulaError('The formula has too many brackets in each other.')
    const formula = read()
    this.depth--
    return formula
  }

  private letter(word: string): Formula {
    const series = /^[a-z]$/i.test(word) ? word.toUpperCase().charCodeAt(0) - 65 : -1
    if (series < 0)
      throw new FormulaError(`In the formula, "${shown(word)}" is neither a series, a number, min nor max.`)
    if (series >= this.series) throw new FormulaError(`The formula asks for ${word}, but ${this.known()}.`)
    return (values) => values[series] ?? null
  }

  private known(): string {
    return this.series === 1 ? 'the only series is A' : `the series are A to ${seriesLetter(this.series - 1)}`
  }

  private get word(): string | undefined {
    return this.words[this.at]
  }

  private next(): string {
    const word = this.word
    if (word === undefined) throw new FormulaError(this.endsTooSoon())
    this.at++
    return word
  }

  private endsTooSoon(): string {
    const last = this.words.at(-1)
    return last === undefined
      ? 'The formula is empty.'
      : `In the formula, something is missing after "${shown(last)}".`
  }

  private takes(word: string): boolean {
    if (this.word !== word) return false
    this.at++
    return true
  }
}

/** Shortens a word for use in a sentence. */
const shown = (word: string): string => (word.length > 40 ? `${word.slice(0, 40)}…` : word)

const stepIn = <Found>(steps: Record<string, Found>, word: string | undefined): Found | undefined =>
  word !== undefined && Object.hasOwn(steps, word) ? steps[word] : undefined

function numeral(word: string): Formula {
  const number = Number(word)
  if (!Number.isFinite(number)) throw new FormulaError(`In the formula, "${shown(word)}" is not a number.`)
  return () => number
}

/** Returns null if an operand is null or the result is not finite. */
function combined(parts: readonly Formula[], step: (...numbers: number[]) => number): Formula {
  return (values) => {
    const numbers = parts.map((part) => part(values))
    if (!areKnown(numbers)) return null
    const number = step(...numbers)
    return Number.isFinite(number) ? number : null
  }
}

const areKnown = (numbers: (number | null)[]): numbers is number[] => !numbers.includes(null)
