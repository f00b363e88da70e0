import { createInterface } from 'node:readline/promises'

/** Asks for a secret, since everyone on the machine could read an argument, and the shell's history keeps it. */
export async function promptFor(prompt: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  if (process.stdin.isTTY) process.stderr.write(prompt)
  for await (const line of terminal) return line
  return ''
}
