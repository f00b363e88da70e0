import { Command } from 'commander'
import type { ToldRows } from '../asking'
import { type Config, readConfig } from '../config'
import type { TilthCommand } from './command'
import { answered, table, withProduct } from './with-product'

interface Options {
  project?: string
  period?: string
  json?: boolean
  csv?: boolean
}

export const queryCommand: TilthCommand = () =>
  new Command('query')
    .description('ask in SQL: one select over events, persons, sessions and groups of a project')
    .argument('<sql>', 'such as "select event, count() from events group by event"')
    .option('--project <slug>', 'its address part or number; not needed where there is only one')
    .option('--period <period>', 'what {{from}} and {{until}} stand for, such as 30d')
    .option('--csv', 'answer with CSV')
    .option('--json', 'answer with JSON')
    .addHelpText('after', '\nTilth must be running. What can be read is in docs/sql.md.')
    .action((text: string, { project, period, csv, json }: Options) =>
      withProduct(json, async (product) => {
        const { askRunning, cellsOfRows, csvOfRows } = await import('../asking')
        const outcome = await askRunning(product, config(), { text, project, period })
        if (!outcome.done) return outcome
        const { told } = outcome
        if (csv) return answered(told, csvOfRows(told))
        const heads = told.columns.map(({ name }) => name)
        return answered(told, ...table(heads, cellsOfRows(told)), summaryOf(told))
      }),
    )

/** Read once more than needed: by now it is known that it can be read. */
function config(): Config {
  const reading = readConfig(process.env)
  if (!reading.readable) throw new Error(reading.problems.join(' '))
  return reading.config
}

function summaryOf({ rows, isCut, tookMs, rowsRead }: ToldRows): string {
  const count = rows.length === 1 ? '1 row' : `${rows.length.toLocaleString('en')} rows`
  const more = isCut ? ', and there are more' : ''
  return `(${count}${more}; ${rowsRead.toLocaleString('en')} read in ${tookMs} ms)`
}
