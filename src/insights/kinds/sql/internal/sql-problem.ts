import { tokensOf } from '#engine/tokens'
import { placeInText, positionOf } from '../statement'

/** A problem of a statement, from the engine's message. */
export interface SqlProblem {
  sentence: string
  /** The index in the user's text; undefined if unknown. */
  at: number | undefined
}

/** Returns a message that begins with the line and column, as compilers do. */
export function sqlProblemText({ sentence, at }: SqlProblem, text: string): string {
  if (at === undefined) return sentence
  const { line, column } = positionOf(text, at)
  return `Line ${line}, column ${column}: ${sentence}`
}

/** Returns the problem of a syntax error. `prefix` stood before the statement in the query. */
export function syntaxProblem(message: string, statement: string, text: string, prefix: string): SqlProblem {
  const [, position = '', found = ''] = /failed at position (\d+) \(([\s\S]*?)\)(?=[ :])/.exec(message) ?? []
  if (!position) return engineProblem(message, text)
  // the engine counts bytes, from one
  const bytes = Buffer.from(prefix + statement).subarray(0, Number(position) - 1)
  const at = Math.min(placeInText(text, bytes.toString().length - prefix.length), text.length)
  return { sentence: sentenceFor(message, found), at: Math.max(0, at) }
}

function sentenceFor(message: string, found: string): string {
  if (/quoted string is not closed/i.test(message)) return 'A quote is opened here and never closed.'
  if (message.includes('Unmatched parentheses')) return 'A bracket is not closed.'
  if (found === 'end of query') return 'The query ends too early: something is missing here.'
  return `Unexpected "${found}".`
}

/** Returns the problem of a statement that parses and fails. */
export function engineProblem(message: string, text: string): SqlProblem {
  const [pattern, rephrase] = rephrased.find(([known]) => known.test(message)) ?? [
    /$/,
    () => firstSentence(message),
  ]
  const found = pattern.exec(message) ?? []
  const [, name] = found
  return { sentence: rephrase(found), at: name === undefined ? undefined : placeOf(name, text) }
}

type Rephrasing = readonly [RegExp, (found: readonly string[]) => string]

const rephrased: readonly Rephrasing[] = [
  [
    /Unknown (?:expression|expression or function|function expression) identifier [`']([^`']+)[`'](?:[\s\S]*Maybe you meant: \['([^']+)')?/,
    ([, name, meant]) => `There is no column "${name}" here.${meant ? ` Did you mean "${meant}"?` : ''}`,
  ],
  [/Identifier [`']([^`']+)[`'] cannot be resolved/, ([, name]) => `There is no column "${name}" here.`],
  [/Unknown table expression identifier [`']([^`']+)[`']/, ([, name]) => `There is no table "${name}" here.`],
  [
    /Column [`'](?:[\w.]*\.)?(\w+)[`'] is not under aggregate function and not in GROUP BY/,
    ([, name]) => `"${name}" is neither aggregated nor in "group by".`,
  ],
  [/in readonly mode/, () => 'Remove SETTINGS: query limits are fixed.'],
  [
    /Substitution `(\w+)` is not set/,
    ([, name]) => `"{${name}}" is not a placeholder. Use {{from}} or {{until}}.`,
  ],
  [/Not enough privileges/, () => 'This reads data outside the project.'],
]

/** Removes the engine's internal details. */
function firstSentence(message: string): string {
  const [first = ''] = message.split(/:? In scope |\.? In query |: while executing |\(version /)
  const sentence = first
    .replaceAll(/\b\w+_sql(_merged)?\./g, '')
    .replaceAll(/__table\d+\./g, '')
    .trim()
  return sentence.endsWith('.') ? sentence : `${sentence}.`
}

/** Returns the index of the first occurrence as a name. */
function placeOf(name: string, text: string): number | undefined {
  const last = name.split('.').at(-1)
  return tokensOf(text).find(
    ({ kind, text: word }) =>
      (kind === 'word' || kind === 'quoted-name') && word.replaceAll(/[`"]/g, '') === last,
  )?.at
}
