import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js'
import { type Sql, sql, string } from '#engine/sql'

/**
 * A regular expression of RE2, in memory as in the engine: both sides accept the same language, and matching takes
 * linear time for any expression.
 */
interface Pattern {
  matches(text: string): boolean
}

const mostCharacters = 1000

/** The largest compiled size. The engine limits bytes of memory; character classes take many. */
const mostSteps = { plain: 3000, withClasses: 300 }
const classes = /\\[pPDWS]|\[\^|\\x\{|\(\?[a-zA-Z]*i/
const beyondAscii = /[^\p{ASCII}]/u

/** \B, unless its backslash is escaped. */
const insideWords = /(?<!\\)(?:\\\\)*\\B/
const withinCharacters = 'has \\B, which the engine finds inside characters too. Write it without.'

type PatternReading = { pattern: Pattern } | { refused: string }

export function readPattern(source: string): PatternReading {
  if (source.length > mostCharacters)
    return {
      refused: `The pattern is longer than ${mostCharacters} characters. Shorten it or split it in two.`,
    }
  try {
    const compiled = RE2JS.compile(source)
    if (insideWords.test(source)) return { refused: `The pattern "${shown(source)}" ${withinCharacters}` }
    return compiled.programSize() > stepsAllowed(source)
      ? { refused: `The pattern "${shown(source)}" is too large. Repeat less in it or split it in two.` }
      : { pattern: { matches: (text) => compiled.test(text) } }
  } catch (error) {
    if (error instanceof RE2JSException)
      return { refused: `The pattern "${shown(source)}" ${trouble(source, error)}` }
    throw error
  }
}

function stepsAllowed(source: string): number {
  const hasClasses = classes.test(source) || (source.includes('[') && beyondAscii.test(source))
  return hasClasses ? mostSteps.withClasses : mostSteps.plain
}

const shown = (source: string) => (source.length > 60 ? `${source.slice(0, 60)}…` : source)

function trouble(source: string, error: RE2JSException): string {
  if (/\(\?<?[=!]/.test(source))
    return 'looks ahead or behind, with (?=, (?!, (?<= or (?<!. Write it without: use two conditions instead.'
  if (/\\(?:[1-9]|k<)/.test(source)) return 'refers back to one of its groups. Write it without.'
  const reason = error instanceof RE2JSSyntaxException ? error.error : error.message
  return `is not a regular expression (${reason}). To find such a character itself, put \\ before it.`
}

/**
 * Makes a dot match any character but a new line, which is not the engine's default. The (?i), undone at once, disables
 * an optimisation of the engine that misreads a multi-byte character before * or ?.
 */
export const matchesIn = (text: Sql, source: string): Sql =>
  sql`match(${text}, ${string(`(?i)(?-is)${source}`)})`
