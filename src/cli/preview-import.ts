import { type ImportPreview, previewImport } from '#imports/import-preview'
import { ingestSettingsOf } from '#ingest/project-settings'
import { defaultIngestSettings } from '#ingest/settings'
import type { Project } from '#projects/project'
import { type ImportRequest, inOrder, settingsOf } from './import-files'

/** Reads the files to their end and says what an import into a project would bring, without a Tilth that runs. */
export async function previewFiles(
  request: ImportRequest,
  project: Project | undefined,
): Promise<{ preview: Omit<ImportPreview, 'sample'>; lines: string[] }> {
  const intake = project ? ingestSettingsOf(project) : defaultIngestSettings
  const settings = { ...settingsOf(request), sourceName: request.source, intake }
  const { sample: _, ...preview } = await previewImport(inOrder(request), settings)
  const outcome = project ? '' : ' With --project, what the project blocks is left out of these numbers too.'
  return { preview, lines: [...linesOf(preview), `Nothing was changed.${outcome}`] }
}

const inFigures = (amount: number): string => amount.toLocaleString('en')

function linesOf({
  rows,
  events,
  repeated,
  sums,
  profiles,
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
    ...(repeated > 0 ? [`${inFigures(repeated)} are copies of these, with the same id.`] : []),
    ...(sums > 0 ? [`${inFigures(sums)} daily totals would be shown in web analytics.`] : []),
    ...(profiles > 0 ? [`${inFigures(profiles)} would become persons and groups.`] : []),
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
  ]
}
