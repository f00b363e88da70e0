import { Command } from 'commander'
import type { EnvironmentVariables } from '#server/config'
import { start } from '#server/main'
import type { TilthCommand } from './command'

export const startCommand: TilthCommand = (installation) =>
  new Command('start')
    .description('start Tilth and keep it running until a signal stops it')
    .option('--demo', 'and fill a project with 90 days of sample data, as "tilth demo" does')
    .addHelpText('after', '\nSettings come from the environment; docs/settings.md lists them.')
    .action(({ demo }: { demo?: boolean }) =>
      start(moveSettingsOut(process.env), installation, { demo: demo === true, isDev: false }),
    )

/** A copy of all there is. What starts a process from here on cannot pass settings on without meaning to. */
export function moveSettingsOut(environment: NodeJS.ProcessEnv): EnvironmentVariables {
  const settings = { ...environment }
  for (const name of Object.keys(settings)) if (name.startsWith('TILTH_')) delete environment[name]
  return settings
}
