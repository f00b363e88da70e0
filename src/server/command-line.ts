import { Command } from 'commander'
import { buildCommand } from './commands/build'
import type { TilthCommand } from './commands/command'
import { demoCommand } from './commands/demo'
import { doctorCommand } from './commands/doctor'
import { flagCommand } from './commands/flag'
import { keyCommand } from './commands/key'
import { memberCommand } from './commands/member'
import { projectCommand } from './commands/project'
import { queryCommand } from './commands/query'
import { startCommand } from './commands/start'
import type { Installation } from './main'

/** Every command, in the order the help shows them. A new one is a file in `commands/` and a line here. */
const commands: readonly TilthCommand[] = [
  startCommand,
  demoCommand,
  projectCommand,
  memberCommand,
  keyCommand,
  flagCommand,
  queryCommand,
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
