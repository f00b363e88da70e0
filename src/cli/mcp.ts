import { Command } from 'commander'
import type { TilthCommand } from './command'
import { commandOutput, withProduct } from './with-product'

export const mcpCommand: TilthCommand = () =>
  new Command('mcp')
    .description('let an assistant on this machine read a project’s numbers, over standard input and output')
    .option('--project <slug>', 'its URL slug or number; optional if there is only one')
    .addHelpText('after', '\nTilth must be running. An assistant starts this command: see docs/agents.md.')
    .action(({ project }: { project?: string }) =>
      withProduct(false, async (product, config) => {
        const { answerAssistant } = await import('./answer-assistant')
        const outcome = await answerAssistant({ product, config }, project)
        return outcome.done ? commandOutput(undefined) : outcome
      }),
    )
