import { Command } from 'commander'
import { start } from '../main'
import type { TilthCommand } from './command'

export const startCommand: TilthCommand = (installation) =>
  new Command('start')
    .description('start Tilth and keep it running until it is told to stop')
    .addHelpText('after', '\nSettings come from the environment; docs/settings.md lists them.')
    .action(() => start(process.env, installation))
