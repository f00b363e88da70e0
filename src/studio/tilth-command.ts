import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Only a clone has the sources beside the program that this process runs. */
const isClone = existsSync(join(dirname(process.argv[1] ?? ''), '..', 'src', 'cli'))

/** A command as it is typed on this machine: a clone puts no program into the path. */
export const tilthCommand = (words: string): string => `${isClone ? 'node bin/tilth.js' : 'tilth'} ${words}`
