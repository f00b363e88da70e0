import { createInterface } from 'node:readline/promises'

/**
 * Asks for a secret. As an argument, everyone on the machine could read it, and it would stay in the shell's history.
 */
export async function promptFor(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  if (process.stdin.isTTY) process.stderr.write(question)
  for await (const line of terminal) return line
  return ''
}
