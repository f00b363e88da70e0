import type { EngineReading } from './engine'

/** A statement that somebody wrote, and whose rows it is about. It has been past the guard (`guard.ts`). */
export interface Written {
  text: string
  projectId: number
  /** Whether persons of the project were merged whose events still say who they were before. */
  hasMerged: boolean
  /** What `{from:DateTime64}` and `{until:DateTime64}` in the text stand for. */
  period?: { from: Date; until: Date } | undefined
}

export interface WrittenAnswer {
  columns: WrittenColumn[]
  rows: unknown[][]
  /** There would have been more. */
  isCut: boolean
  read: EngineReading
}

export interface WrittenColumn {
  name: string
  /** As the engine names it. */
  type: string
}

/** Nobody reads more, and what is meant for a file is better asked for in pieces. */
export const mostRows = 10_000
export const mostBytes = 32 * 1024 * 1024
export const mostSeconds = 30
export const mostMemoryBytes = 1024 ** 3

/** Numbers too large for JavaScript are told apart when they are read; what is no number at all comes as a word. */
export const shownAsJson = {
  date_time_output_format: 'iso',
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_denormals: 1,
  output_format_json_quote_decimals: 1,
} as const
