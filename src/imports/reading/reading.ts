import type { ProjectIngestSettings } from '#ingest/settings'
import { UnreadableFileError } from '../files/limits'
import { type ImportPreview, previewImport } from '../import-preview'
import type { Portion } from '../portions'
import { readPortions } from '../recognised-portions'
import { type ImportSourceName, importSources } from '../sources/sources'

/** The files that a reading process reads, and their purpose. */
export interface ReadingRequest {
  work: 'preview' | 'import'
  source: ImportSourceName
  paths: readonly string[]
  until: string | undefined
  now: string
  /** The settings of the project, by which a preview knows what an import would drop. */
  intake: ProjectIngestSettings
  /** Rows that were imported before. */
  skip: number
}

/** A message of a reading process. After a portion it waits for an answer. */
export type ReadingMessage =
  | { kind: 'progress'; rows: number }
  | { kind: 'portion'; portion: Portion }
  | ReadingEnd

/** The end of a reading that was not stopped. */
export type ReadingEnd =
  | { kind: 'previewed'; preview: ImportPreview }
  | { kind: 'read' }
  | { kind: 'unreadable'; why: string }

export interface ReadingReceiver {
  progress: (rows: number) => void
  /** Resolves once the portion is written. */
  portion: (portion: Portion) => Promise<void>
}

/** Reads files for a preview or an import. The next portion is made while the last one is written. */
export async function readFiles(request: ReadingRequest, receiver: ReadingReceiver): Promise<ReadingEnd> {
  const { source, until, now, skip, paths, intake } = request
  const settings = {
    sourceName: source,
    intake,
    source: importSources[source],
    until: until === undefined ? undefined : new Date(until),
    now: new Date(now),
    skip,
  }
  if (request.work === 'preview')
    return { kind: 'previewed', preview: await previewImport(paths, settings, receiver.progress) }
  try {
    await readPortions(paths, settings, (portions) =>
      eachAhead(portions, async (portion) => {
        await receiver.portion(portion)
        return 'go on'
      }),
    )
    return { kind: 'read' }
  } catch (problem) {
    if (problem instanceof UnreadableFileError) return { kind: 'unreadable', why: problem.message }
    throw problem
  }
}

/** Works on one after the other, and makes the next one meanwhile. Ends early where the work says that it is over. */
export async function eachAhead<Item>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<'go on' | 'over'>,
): Promise<void> {
  let working: Promise<'go on' | 'over'> = Promise.resolve('go on')
  try {
    for await (const item of items) {
      if ((await working) === 'over') return
      working = work(item)
      // reported at the next await, not before
      working.catch(() => {})
    }
  } finally {
    await working
  }
}
