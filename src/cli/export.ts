import { Command, Option } from 'commander'
import { formatNames, type TableFormat } from '#exports/export-statement'
import type { TilthCommand } from './command'
import { commandOutput, withProduct } from './with-product'

interface Options {
  project?: string
  format: TableFormat
  table?: string[]
  from?: string
  until?: string
  again?: boolean
  json?: boolean
}

export const exportCommand: TilthCommand = () =>
  new Command('export')
    .description('write a project’s events, sessions, persons and groups to files')
    .argument('<folder>', 'where the files go; it is made if it is not there')
    .option('--project <slug>', 'its URL slug or number; optional if there is only one')
    .addOption(new Option('--format <format>', 'of the files').choices(formatNames).default('jsonl'))
    .option('--table <tables...>', 'events, sessions, persons or groups; all of them if absent')
    .option('--from <month>', 'the first month, such as 2026-01')
    .option('--until <month>', 'the last month, such as 2026-11')
    .option('--again', 'write files of past months again that are there already')
    .option('--json', 'answer with JSON')
    .addHelpText(
      'after',
      '\nTilth must be running. One file a month, whole or not there at all: see docs/export.md.',
    )
    .action((folder: string, { json, ...options }: Options) =>
      withProduct(json, async (product, config) => {
        const { exportToFolder } = await import('./export-to-folder')
        const say = (line: string) => void (json || process.stderr.write(`${line}\n`))
        const outcome = await exportToFolder({ product, config, say }, folder, options)
        if (!outcome.done) return outcome
        const { files } = outcome
        const written = files.filter(({ isNew }) => isNew)
        return commandOutput(
          { folder, files },
          `${written.length} of ${files.length} files written to ${folder}; the others were there already.`,
        )
      }),
    )
