import { Command } from 'commander'
import { start } from '../main'
import type { TilthCommand } from './command'

export const startCommand: TilthCommand = (installation) =>
  new Command('start')
    .description('start Tilth and keep it running until it is told to stop')
    .option('--demo', 'and fill a project with ninety lively days, as "tilth demo" does')
    .addHelpText('after', '\nSettings come from the environment; docs/settings.md lists them.')
    .action(({ demo }: { demo?: boolean }) => start(process.env, installation, { demo: demo === true }))
