import type { Flag } from './flag'

/** A stored version of a flag, with its author and their note, if any. */
export interface FlagVersion {
  version: number
  flag: Flag
  by: string
  at: Date
  note: string | undefined
}
