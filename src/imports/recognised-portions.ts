import { basename } from 'node:path'
import { UnreadableFileError } from './files/limits'
import type { FileRow } from './files/read-rows'
import { importName } from './import-files'
import { type Portion, portionsOf, type PortionSettings } from './portions'
import { readSource } from './source-reader'
import { type ImportSource, isReasonOfForm, reasons as leftOutBecause } from './sources/internal/source'
import { importSources } from './sources/sources'

/**
 * Reads files and works on their portions, for previews and for imports alike. Nothing is given of files in which no row has
 * the form of the source's export.
 */
export async function readPortions(
  paths: readonly string[],
  settings: PortionSettings,
  work: (portions: AsyncIterable<Portion>) => Promise<void>,
): Promise<void> {
  await readSource(paths, settings.source, async (read) => {
    const portions = portionsOf(read, settings)
    // an import that continues was recognised before
    if ((settings.skip ?? 0) > 0) return await work(portions)
    await work(
      recognised(portions, (dropped) => {
        const files = importName(paths.map((path) => ({ name: basename(path) })))
        return new UnreadableFileError(
          foreignFiles(files, settings.source, read.firstRows) + reasonsIn(dropped),
        )
      }),
    )
  })
}

async function* recognised(
  portions: AsyncIterable<Portion>,
  refusal: (dropped: Portion['dropped']) => UnreadableFileError,
): AsyncGenerator<Portion> {
  let [held, isRecognised]: [Portion | undefined, boolean] = [undefined, false]
  for await (const portion of portions) {
    held = held ? joined(held, portion) : portion
    isRecognised ||= hasForm(held)
    if (!isRecognised) continue
    yield held
    held = undefined
  }
  if (!isRecognised) throw refusal(held?.dropped ?? {})
}

const hasForm = ({ events, sums, profiles, dropped }: Portion): boolean =>
  events.length + sums.length + profiles.length > 0 ||
  Object.keys(dropped).some((reason) => !isReasonOfForm(reason))

/** A portion of rows that were left out, with the next. */
function joined(held: Portion, { rows, events, sums, profiles, dropped }: Portion): Portion {
  const all = { ...held.dropped }
  for (const [reason, amount] of Object.entries(dropped)) all[reason] = (all[reason] ?? 0) + amount
  return { rows: held.rows + rows, events, sums, profiles, dropped: all }
}

function foreignFiles(files: string, { label, columns }: ImportSource, rows: readonly FileRow[]): string {
  const other = sourceOf(rows)
  const remedy = other && other !== label ? ` It looks like an export of ${other}: import it as that.` : ''
  return `Nothing in ${files} has the form of an export of ${label}: expected ${columns}; found ${foundIn(rows)}.${remedy}`
}

/** Rows that have the columns, and values of another form in them. */
function reasonsIn(dropped: Portion['dropped']): string {
  const reasons = Object.entries(dropped).filter(([reason]) => reason !== leftOutBecause.unknownForm)
  if (reasons.length === 0) return ''
  return ` Left out: ${reasons.map(([reason, rows]) => `${rows.toLocaleString('en')} ${reason}`).join(', ')}.`
}

const namesShown = 12
const longestName = 40

function foundIn(rows: readonly FileRow[]): string {
  const [first] = rows
  if (!first) return 'no rows'
  const row = rows.find((one) => 'row' in one)
  if (!row) return 'problem' in first ? `rows that are ${first.problem}` : 'no rows'
  const names = Object.keys(row.row).map((name) => name.slice(0, longestName))
  const shown = names.slice(0, namesShown).join(', ')
  return names.length > namesShown
    ? `${shown} and ${names.length - namesShown} more`
    : shown || 'rows without columns'
}

/** The product whose rows these are, if any is. */
const sourceOf = (rows: readonly FileRow[]): string | undefined =>
  Object.values<ImportSource>(importSources).find((source) =>
    rows.some((one) => 'row' in one && keeps(source, one)),
  )?.label

function keeps(source: ImportSource, { row }: Extract<FileRow, { row: unknown }>): boolean {
  const parts = source.partsOf?.(row) ?? [row]
  return parts.some((part) => source.eventOf(part, () => []).kept)
}
