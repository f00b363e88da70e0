import type { Flag } from './flag'

/** How a flag was from then on, who made it so, and why, where they said so. */
export interface FlagVersion {
  version: number
  flag: Flag
  by: string
  at: Date
  note: string | undefined
}
