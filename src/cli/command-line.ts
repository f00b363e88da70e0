import { Command } from 'commander'
import { backupCommand } from './backup'
import { buildCommand } from './build'
import type { TilthCommand } from './command'
import { demoCommand } from './demo'
import { doctorCommand } from './doctor'
import { flagCommand } from './flag'
import { keyCommand } from './key'
import { memberCommand } from './member'
import { projectCommand } from './project'
import { queryCommand } from './query'
import { restoreCommand } from './restore'
import { startCommand } from './start'
import { surveyCommand } from './survey'
import type { Installation } from '#server/main'

/** Every command, in the order the help shows them. A new one is a file in `commands/` and a line here. */
const commands: readonly TilthCommand[] = [
  startCommand,
  demoCommand,
  projectCommand,
  memberCommand,
  keyCommand,
  flagCommand,
  surveyCommand,
  queryCommand,
  backupCommand,
  restoreCommand,
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

/** What `bin/tilth.js` calls with everything after the word `tilth`. */
export async function run(
  args: readonly string[],
  installation: Installation,
  version: string,
): Promise<void> {
  await commandLine(installation, version).parseAsync(args, { from: 'user' })
}
