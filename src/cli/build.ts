import { Command } from 'commander'
import type { TilthCommand } from './command'

/** In a clone `bin/tilth.js` builds before it looks at the command, so here there is nothing left to do. */
export const buildCommand: TilthCommand = () =>
  new Command('build')
    .description('in a clone: install packages and build, as every command does first, and nothing else')
    .action(() => void process.stdout.write('Everything is built.\n'))
