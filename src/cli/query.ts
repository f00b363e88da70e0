import { Command } from 'commander'
import type { QueryRows } from './run-query'
import type { TilthCommand } from './command'
import { commandOutput, table, withProduct } from './with-product'

interface Options {
  project?: string
  period?: string
  json?: boolean
  csv?: boolean
}

export const queryCommand: TilthCommand = () =>
  new Command('query')
    .description('run read-only SQL over the events, persons, sessions and groups of a project')
    .argument('<sql>', 'such as "select event, count() from events group by event"')
    .option('--project <slug>', 'its URL slug or number; optional if there is only one')
    .option('--period <period>', 'what {{from}} and {{until}} stand for, such as 30d')
    .option('--csv', 'answer with CSV')
    .option('--json', 'answer with JSON')
    .addHelpText('after', '\nTilth must be running. What can be read is in docs/sql.md.')
    .action((text: string, { project, period, csv, json }: Options) =>
      withProduct(json, async (product, config) => {
        const { queryRunningTilth, cellsOfRows, csvOfRows } = await import('./run-query')
        const outcome = await queryRunningTilth(product, config, { text, project, period })
        if (!outcome.done) return outcome
        const { result } = outcome
        if (csv) return commandOutput(result, csvOfRows(result))
        const heads = result.columns.map(({ name }) => name)
        return commandOutput(result, ...table(heads, cellsOfRows(result)), summaryOf(result))
      }),
    )

function summaryOf({ rows, isCut, tookMs, rowsRead }: QueryRows): string {
  const count = rows.length === 1 ? '1 row' : `${rows.length.toLocaleString('en')} rows`
  const more = isCut ? ', and there are more' : ''
  return `(${count}${more}; ${rowsRead.toLocaleString('en')} read in ${tookMs} ms)`
}
