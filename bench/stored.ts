import { join, resolve } from 'node:path'
import { openEngine } from '#engine/open'
import { sql } from '#engine/sql'
import type { PreparedEvent } from '#events/event'
import { Journal } from '#ingest/internal/journal'

/** Writes events down and leaves them there, as a Tilth does that dies before it has stored any. */
export async function leaveInJournal(folder: string, events: readonly PreparedEvent[]): Promise<void> {
  const journal = await Journal.open({ folder: join(folder, 'journal') })
  for (let n = 0; n < events.length; n += 50) {
    const appended = await journal.append(events.slice(n, n + 50))
    if (appended !== 'written') throw new Error(`The journal would not take more: ${appended.refused}.`)
  }
  await journal.close()
}

interface OnDisk {
  events: number
  bytesPerEvent: number
  /** The columns that take most of it, by name. */
  largest: readonly { column: string; bytes: number }[]
}

/** The size of a stopped Tilth's engine, once it has merged all that it will merge. */
export async function onDisk(folder: string): Promise<OnDisk> {
  const engine = openEngine({
    form: 'embedded',
    folder: join(folder, 'engine'),
    childEntry: resolve('dist/engine-child.js'),
    memoryBytes: 3 * 1024 ** 3,
    cores: 2,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  })
  try {
    await engine.ready()
    await engine.command(sql`optimize table events final`, { deadlineMs: 600_000 })
    const [size] = await engine.query<{ bytes: number; events: number }>(
      sql`select sum(bytes_on_disk) as bytes, sum(rows) as events from system.parts where active and table = 'events'`,
      { lane: 'ingest' },
    )
    const { bytes, events } = size ?? { bytes: 0, events: 0 }
    const largest = await engine.query<{ column: string; bytes: number }>(
      sql`
        select column, sum(column_data_compressed_bytes) / sum(rows) as bytes
        from system.parts_columns
        where active and table = 'events'
        group by column
        order by bytes desc
        limit 6`,
      { lane: 'ingest' },
    )
    return { events, bytesPerEvent: bytes / events, largest }
  } finally {
    await engine.close()
  }
}
