import { type ImportPreview, previewImport } from '#imports/import-preview'
import { type ImportRequest, inOrder, settingsOf } from './import-files'

/** Reads the files to their end and says what an import would bring, without a Tilth. */
export async function previewFiles(
  request: ImportRequest,
): Promise<{ preview: Omit<ImportPreview, 'sample'>; lines: string[] }> {
  const { sample: _, ...preview } = await previewImport(inOrder(request.files), settingsOf(request))
  return { preview, lines: linesOf(preview) }
}

const inFigures = (amount: number): string => amount.toLocaleString('en')

function linesOf({
  rows,
  events,
  sums,
  dropped,
  firstAt,
  lastAt,
  names,
  nameCount,
  first,
  problem,
}: Omit<ImportPreview, 'sample'>): string[] {
  return [
    `${inFigures(rows)} rows read.`,
    `${inFigures(events)} would become events${firstAt && lastAt ? `, from ${firstAt} to ${lastAt}` : ''}.`,
    ...(sums > 0 ? [`${inFigures(sums)} daily totals would be shown in web analytics.`] : []),
    ...Object.entries(dropped).map(
      ([reason, amount]) => `${inFigures(amount)} would be left out: ${reason}.`,
    ),
    ...(problem === undefined ? [] : [`Not read to the end: ${problem}`]),
    '',
    `Events, by name (${inFigures(names.length)} of ${inFigures(nameCount)}):`,
    ...names.map(({ name, events: amount }) => `  ${inFigures(amount).padStart(12)}  ${name}`),
    '',
    'The first events:',
    ...first.map((event) => `  ${JSON.stringify(event).slice(0, 400)}`),
    '',
    'Nothing was changed. Blocked pages, hosts and countries of the project are left out too when it is imported.',
  ]
}
