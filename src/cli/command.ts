import type { Command } from 'commander'
import type { Installation } from '#server/main'

/** One word after `tilth`: its options, its help and what it does. */
export type TilthCommand = (installation: Installation) => Command
