import type { InputProblem } from '#projects/problems'

/** The answer to a statement, as it travels to the browser. */
export type SqlResult = SqlRows | { done: false; problems: InputProblem[]; isTrouble?: boolean }

export interface SqlRows {
  done: true
  columns: { name: string; type: string }[]
  rows: unknown[][]
  isCut: boolean
  rowsRead: number
  bytesRead: number
  tookMs: number
}

/** Reads the position at the beginning of an error message. */
export function positionIn(message: string): { line: number; column: number } | undefined {
  const [, line, column] = /^Line (\d+), column (\d+):/.exec(message) ?? []
  return line && column ? { line: Number(line), column: Number(column) } : undefined
}

/** Converts line and column to an offset. */
export function offsetOf(text: string, { line, column }: { line: number; column: number }): number {
  const before = text.split('\n').slice(0, line - 1)
  return before.reduce((sum, { length }) => sum + length + 1, 0) + column - 1
}
