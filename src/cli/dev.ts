import { Command } from 'commander'
import { resolve } from 'node:path'
import { start } from '#server/main'
import type { TilthCommand } from './command'
import { moveSettingsOut } from './start'

export const devCommand: TilthCommand = (installation) =>
  new Command('dev')
    .description('start Tilth for the work on a site folder: browsers reload after each change')
    .argument('[folder]', 'the site folder; otherwise that of TILTH_SITE, or ./site')
    .addHelpText('after', '\nPages show mistakes in the folder, and tilth-env.d.ts in it names the flags.')
    .action(async (folder: string | undefined) => {
      const settings = moveSettingsOut(process.env)
      const site = resolve(folder ?? settings['TILTH_SITE'] ?? 'site')
      await start({ ...settings, TILTH_SITE: site }, installation, { demo: false, isDev: true })
    })
