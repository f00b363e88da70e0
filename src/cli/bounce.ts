import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import { operator } from '#projects/access'
import { failedOutcome } from '#projects/problems'
import type { TilthCommand } from './command'
import { commandOutput, withProduct } from './with-product'

/** Mail servers run it for each message to the mailbox of return paths, with the message on standard input. */
export const bounceCommand: TilthCommand = () =>
  new Command('bounce')
    .description('take a returned letter from standard input, as a mail server delivers it')
    .option('--json', 'answer with JSON')
    .action((options: { json?: boolean }) =>
      withProduct(options.json, async ({ letters }) => {
        const { replies: letterReplies } = letters
        const message = await text(process.stdin)
        const projectId = await letterReplies.projectOfBounce(message)
        if (projectId === undefined) return failedOutcome('The message names no letter of this Tilth.')
        const outcome = await letterReplies.takeBounce(projectId, { message }, operator('command line'))
        if (!outcome.done) return outcome
        const { kind, deliveries } = outcome
        return commandOutput({ kind, deliveries }, `Taken as ${kind}.`)
      }),
    )
