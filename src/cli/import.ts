import { Command } from 'commander'
import { type ImportSourceName, importSources, isImportSource } from '#imports/sources/sources'
import { failedOutcome, type Outcome } from '#projects/problems'
import type { Project } from '#projects/project'
import { readConfig } from '#server/config'
import type { Product } from '#server/product'
import { callImports, type ImportAnswer } from './call-imports'
import { callRunningTilth, type LocalCall } from './call-running-tilth'
import type { TilthCommand } from './command'
import { posthogCommand } from './import-posthog'
import { importPostsCommand } from './import-posts'
import { projectNamed } from './run-query'
import { commandOutput, table, withProduct } from './with-product'

interface Options {
  project?: string
  json?: boolean
}

export interface SourceOptions extends Options {
  until?: string
  preview?: boolean
}

export const importCommand: TilthCommand = () => {
  const command = new Command('import')
    .description('bring the history of another product into a project')
    .addHelpText('after', '\nTilth must be running, except for posts and with --preview. See docs/import.md.')
  for (const [name, source] of Object.entries(importSources)) {
    const about = `${source.label}: ${source.files}`
    command.addCommand(
      name === 'posthog'
        ? posthogCommand(sourceCommand(name, about, '[files...]'), importing)
        : sourceCommand(name, about),
    )
  }
  return command.addCommand(importPostsCommand()).addCommand(listCommand()).addCommand(undoCommand())
}

const withOptions = (command: Command): Command =>
  command
    .option('--project <slug>', 'its URL slug or number; optional if there is only one')
    .option('--json', 'answer with JSON')

const sourceCommand = (name: string, about: string, files = '<files...>'): Command =>
  withOptions(new Command(name).description(about))
    .argument(files, 'files, also with gzip, zstd or brotli, or in a zip archive')
    .option('--until <instant>', 'leave out events at this instant or later, such as 2026-11-24T10:00:00Z')
    .option('--preview', 'say what would be imported, and change nothing')
    .action((given: string[], options: SourceOptions) => importFrom(name, given, options))

async function importFrom(
  name: string,
  files: string[],
  { preview, until, ...options }: SourceOptions,
): Promise<void> {
  if (!isImportSource(name)) throw new Error(`"${name}" is not in the list of sources.`)
  await withProduct(options.json, async (product) => {
    const cutOver = cutOverIn(until)
    if (!cutOver.done) return cutOver
    const request = { source: name, files, until: cutOver.until }
    return preview ? await showPreview(product, request, options) : await runImport(product, request, options)
  })
}

/** The functions that the import by PostHog's API shares with that of files. */
const importing = { importFrom, cutOverIn, onRunning, summaryOf }
export type Importing = typeof importing

function cutOverIn(text: string | undefined): Outcome<{ until: Date | undefined }> {
  const until = text === undefined ? undefined : new Date(text)
  return until && Number.isNaN(until.getTime())
    ? failedOutcome(`"${text}" is not an instant: write it as 2026-11-24T10:00:00Z.`)
    : { done: true, until }
}

interface Request {
  source: ImportSourceName
  files: readonly string[]
  until: Date | undefined
}

async function showPreview(product: Product, request: Request, { project: named }: Options) {
  const found = projectNamed(product, named)
  if (named !== undefined && !found.done) return found
  const { previewFiles } = await import('./preview-import')
  const { preview, lines } = await previewFiles(request, found.done ? found.project : undefined)
  return commandOutput(preview, ...lines)
}

const runImport = (product: Product, request: Request, options: Options) =>
  onRunning(product, options, async (call, project) => {
    const { importFiles } = await import('./import-files')
    const say = (line: string) => void (options.json || process.stderr.write(`${line}\n`))
    const outcome = await importFiles(call, project, request, say)
    return outcome.done ? commandOutput(outcome.import, ...summaryOf(outcome.import)) : outcome
  })

const listCommand = (): Command =>
  withOptions(new Command('list').description('list the imports of a project')).action((options: Options) =>
    withProduct(options.json, (product) =>
      onRunning(product, options, async (call, project) => {
        const outcome = await callImports(call, project, '')
        if (!outcome.done) return outcome
        const rows = outcome.imports.map(rowOf)
        const heads = ['ID', 'SOURCE', 'FILES', 'STATE', 'ROWS', 'EVENTS', 'LEFT OUT', 'BEGUN']
        const lines = rows.length > 0 ? table(heads, rows) : ['Nothing was imported into this project.']
        return commandOutput({ imports: outcome.imports }, ...lines)
      }),
    ),
  )

const undoCommand = (): Command =>
  withOptions(
    new Command('undo')
      .description('delete the events of an import, and persons who have no other event')
      .argument('<import>', 'its id, as tilth import list shows it'),
  ).action((id: string, options: Options) =>
    withProduct(options.json, (product) =>
      onRunning(product, options, async (call, project) => {
        const { settled } = await import('./import-files')
        const result = await callImports(call, project, `/${encodeURIComponent(id)}`, undefined, 'DELETE')
        if (!result.done) return result
        const outcome = await settled(call, project, result.import, ['undone'])
        if (!outcome.done) return outcome
        const line =
          outcome.import.state === 'undone'
            ? `The import of ${outcome.import.name} is undone.`
            : 'The events are still being deleted: see tilth import list.'
        return commandOutput(outcome.import, line)
      }),
    ),
  )

async function onRunning<Done>(
  product: Product,
  { project: named }: Options,
  work: (call: LocalCall, project: Project) => Promise<Outcome<Done>>,
): Promise<Outcome<Done>> {
  const reading = readConfig(process.env)
  if (!reading.readable) throw new Error(reading.problems.join(' '))
  const found = projectNamed(product, named)
  if (!found.done) return found
  const key = { name: 'tilth import', scopes: ['project:read', 'events:read', 'persons:write'] }
  const { project } = found
  return await callRunningTilth({ product, config: reading.config, project, key }, (call) =>
    work(call, project),
  )
}

const stateLabels: Readonly<Record<string, string>> = {
  running: 'not ended',
  storing: 'being stored',
  done: 'complete',
  undoing: 'being undone',
  undone: 'undone',
}

const inFigures = (amount: number): string => amount.toLocaleString('en')
const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((all, one) => all + one, 0)

const rowOf = ({
  id,
  source,
  name,
  state,
  rows,
  kept,
  stored,
  dropped,
  createdAt,
}: ImportAnswer): string[] => [
  id,
  source,
  name,
  stateLabels[state] ?? state,
  inFigures(rows),
  inFigures(stored ?? kept),
  inFigures(sum(dropped)),
  createdAt,
]

/** Every row of the files is in exactly one of these lines. */
function summaryOf(one: ImportAnswer): string[] {
  const { id, state, rows, kept, sums, profiles, stored, dropped, firstAt, lastAt } = one
  const period = firstAt && lastAt ? ` from ${firstAt} to ${lastAt}` : ''
  const isKnown = state === 'done' && stored !== undefined
  return [
    `${inFigures(rows)} rows read.`,
    isKnown
      ? `${inFigures(stored)} events stored${period}.`
      : `${inFigures(kept)} events written${period}; they are still being stored.`,
    ...(isKnown && kept > stored ? [`${inFigures(kept - stored)} were there already.`] : []),
    ...(sums > 0 ? [`${inFigures(sums)} daily totals kept for web analytics.`] : []),
    ...(profiles > 0 ? [`${inFigures(profiles)} persons and groups restored.`] : []),
    ...Object.entries(dropped).map(([reason, amount]) => `${inFigures(amount)} left out: ${reason}.`),
    `Undo it with: tilth import undo ${id}`,
  ]
}
