import { createInterface } from 'node:readline/promises'

/**
 * Reads a secret, which is never an argument: those can be read by everyone on the machine, and stay in the history.
 */
export async function promptFor(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  if (process.stdin.isTTY) process.stderr.write(question)
  for await (const line of terminal) return line
  return ''
}
