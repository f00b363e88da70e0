import { Command } from 'commander'
import { applyCommand } from './apply'
import { backupCommand } from './backup'
import { bounceCommand } from './bounce'
import { buildCommand } from './build'
import type { TilthCommand } from './command'
import { demoCommand } from './demo'
import { devCommand } from './dev'
import { doctorCommand } from './doctor'
import { experimentCommand } from './experiment'
import { exportCommand } from './export'
import { flagCommand } from './flag'
import { importCommand } from './import'
import { keyCommand } from './key'
import { mcpCommand } from './mcp'
import { memberCommand } from './member'
import { moveCommand } from './move'
import { projectCommand } from './project'
import { publishCommand } from './publish'
import { pullCommand } from './pull'
import { queryCommand } from './query'
import { restoreCommand } from './restore'
import { siteCommand } from './site'
import { startCommand } from './start'
import { surveyCommand } from './survey'
import { themeCommand } from './theme'
import { typesCommand } from './types'
import type { Installation } from '#server/main'

/** Every command, in the order the help shows them. A new one is a file in `commands/` and a line here. */
const commands: readonly TilthCommand[] = [
  startCommand,
  devCommand,
  siteCommand,
  typesCommand,
  themeCommand,
  demoCommand,
  projectCommand,
  memberCommand,
  keyCommand,
  flagCommand,
  surveyCommand,
  experimentCommand,
  bounceCommand,
  queryCommand,
  mcpCommand,
  exportCommand,
  importCommand,
  pullCommand,
  applyCommand,
  publishCommand,
  backupCommand,
  restoreCommand,
  moveCommand,
  doctorCommand,
  buildCommand,
]

export function commandLine(installation: Installation, version: string): Command {
  const tilth = new Command('tilth')
    .description('Everything a website needs in order to grow, on your own server.')
    .version(version)
    .showHelpAfterError('Type tilth --help to see what there is.')
    .showSuggestionAfterError()
    .helpCommand('help [command]', 'explain a command')
  for (const command of commands) tilth.addCommand(command(installation))
  return tilth
}

/** Runs a command. `bin/tilth.js` calls it with everything after the word `tilth`. */
export async function run(
  args: readonly string[],
  installation: Installation,
  version: string,
): Promise<void> {
  await commandLine(installation, version).parseAsync(args, { from: 'user' })
}
