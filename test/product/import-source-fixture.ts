import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Properties } from '#events/event'
import type { DailySum } from '#imports/daily/daily-sum'
import { type ImportedEvent, incomingEventOf } from '#imports/internal/imported-event'
import type { ImportedProfile } from '#imports/internal/imported-profile'
import { readPortions } from '#imports/recognised-portions'
import { type ImportSourceName, importSources } from '#imports/sources/sources'
import { aFolder } from './fixture'
import { expectKept, anEnvelope, anIngestContext } from './ingest-fixture'

type FileContent = string | Uint8Array | readonly Properties[]

/** Reads files of these contents, rows as JSON lines. */
export async function readExport(name: ImportSourceName, ...contents: readonly FileContent[]) {
  const folder = aFolder()
  mkdirSync(folder, { recursive: true })
  const paths = contents.map((content, n) => {
    const path = join(folder, `file ${n}`)
    const isRows = typeof content !== 'string' && !(content instanceof Uint8Array)
    writeFileSync(path, isRows ? content.map((row) => JSON.stringify(row)).join('\n') : content)
    return path
  })
  const source = importSources[name]
  const events: ImportedEvent[] = []
  const sums: DailySum[] = []
  const profiles: ImportedProfile[] = []
  const dropped: Record<string, number> = {}
  let rows = 0
  await readPortions(paths, { source, now: new Date('2026-03-02T12:00:00Z') }, async (portions) => {
    for await (const portion of portions) {
      rows += portion.rows
      events.push(...portion.events)
      sums.push(...portion.sums)
      profiles.push(...portion.profiles)
      Object.assign(dropped, portion.dropped)
    }
  })
  return { rows, events, sums, profiles, dropped }
}

/** Returns the stored form of the first event in the files. */
export async function storedEvent(name: ImportSourceName, ...contents: readonly FileContent[]) {
  const [event] = (await readExport(name, ...contents)).events
  if (!event) throw new Error('There is no event.')
  const envelope = anEnvelope({
    fromServer: true,
    isHistorical: true,
    importId: 'an import',
    address: '',
    userAgent: '',
    dialect: name,
  })
  return expectKept(incomingEventOf(event), envelope, await anIngestContext())
}
