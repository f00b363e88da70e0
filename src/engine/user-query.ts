import type { EngineReadStats } from './engine'

/** A statement that a user wrote, with its project. The guard (`guard.ts`) has accepted it. */
export interface UserQuery {
  text: string
  projectId: number
  /** Whether events of merged persons still have the old person id. */
  hasMerged: boolean
  /** The values of `{from:DateTime64}` and `{until:DateTime64}` in the text. */
  period?: { from: Date; until: Date } | undefined
}

export interface UserQueryResult {
  columns: UserQueryColumn[]
  rows: unknown[][]
  /** Whether there were more rows. */
  isCut: boolean
  read: EngineReadStats
}

export interface UserQueryColumn {
  name: string
  /** The engine's name for the type. */
  type: string
}

/** Larger results belong in files, fetched in pieces. */
export const maxResultRows = 10_000
export const maxResultBytes = 32 * 1024 * 1024
export const maxQuerySeconds = 30
export const maxQueryMemoryBytes = 1024 ** 3

/** Numbers too large for JavaScript are handled when they are parsed; NaN and infinity are texts. */
export const jsonOutputSettings = {
  date_time_output_format: 'iso',
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_denormals: 1,
  output_format_json_quote_decimals: 1,
} as const
