import { readFileSync } from 'node:fs'
import { failedOutcome, type Outcome } from '#projects/problems'

/** The JSON of a file, or of standard input for "-". The advice says what such a file holds. */
export function jsonIn(file: string, advice: string): Outcome<{ json: unknown }> {
  try {
    return { done: true, json: JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8')) as unknown }
  } catch (problem) {
    const reason = problem instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
    return failedOutcome(`${file} ${reason}. ${advice}`)
  }
}
