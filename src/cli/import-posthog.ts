import { type Command, Option } from 'commander'
import { failedOutcome } from '#projects/problems'
import type { HistoryWay } from '#moves/history/history'
import type { Importing, SourceOptions } from './import'
import { promptFor } from './prompt'
import { withProduct } from './with-product'

export interface PosthogOptions extends SourceOptions {
  from?: string
  posthogProject?: string
  by?: HistoryWay
  only?: string
}

const keyVariable = 'POSTHOG_PERSONAL_API_KEY'

/** Adds the import by PostHog's API to that of files. */
export const posthogCommand = (command: Command, importing: Importing): Command =>
  command
    .option('--from <address>', 'read PostHog itself, such as https://eu.posthog.com, instead of files')
    .option('--posthog-project <number>', 'the number of the project there')
    .option(
      '--only <parts>',
      'of history, cohorts, flags, insights, surveys and experiments, those that are named, as flags,surveys',
    )
    .addOption(
      new Option('--by <way>', 'how the history is read: by its file exports or by SQL').choices([
        'files',
        'sql',
      ]),
    )
    .addHelpText('after', `\nWith --from, a personal API key is read from ${keyVariable} or asked for.`)
    .action(async (files: string[], options: PosthogOptions) => {
      if (options.from === undefined && files.length > 0)
        return await importing.importFrom('posthog', files, options)
      await withProduct(options.json, async (product) => {
        const objection = objectionTo(files, options)
        if (objection !== undefined) return failedOutcome(objection)
        const cutOver = importing.cutOverIn(options.until)
        if (!cutOver.done) return cutOver
        const key = await keyFor(options)
        if (key === '') return failedOutcome(`Set ${keyVariable}, or enter a personal API key.`)
        const { runPosthogImport } = await import('./run-posthog-import')
        return await runPosthogImport(product, { ...options, until: cutOver.until, key }, importing)
      })
    })

function objectionTo(files: readonly string[], { from, posthogProject }: PosthogOptions): string | undefined {
  if (from === undefined)
    return 'Name the files of an export, or PostHog itself: --from https://eu.posthog.com --posthog-project 123.'
  if (files.length > 0) return 'Give either files or --from.'
  if (!URL.parse(from)?.protocol.startsWith('http')) return 'Write --from as https://eu.posthog.com.'
  if (!/^\d+$/.test(posthogProject ?? ''))
    return 'Give --posthog-project: the number in the address of the project’s pages, as in /project/123.'
  return undefined
}

/** Asks for the key, since everyone on the machine could read an argument, and the shell's history keeps it. */
const keyFor = async ({ from }: PosthogOptions): Promise<string> =>
  (process.env[keyVariable] ?? (await promptFor(`Personal API key of ${from}: `))).trim()
