import { createInterface } from 'node:readline/promises'

/** Never an argument: those can be read by everybody on the machine, and stay in the shell's history. */
export async function promptFor(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  if (process.stdin.isTTY) process.stderr.write(question)
  for await (const line of terminal) return line
  return ''
}
