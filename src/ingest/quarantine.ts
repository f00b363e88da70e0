import { appendFile, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'

/** A row that the engine will not take, whatever is done. */
export interface PoisonRow {
  row: string
  reason: string
}

/**
 * Where rows go that the engine refuses, so that they hold up nothing and are not lost either: a file a day, one JSON
 * object a line, with the reason and the row as it was.
 */
export class Quarantine {
  constructor(
    readonly folder: string,
    private readonly now: () => Date,
  ) {}

  /** On disk when it resolves: the journal is about to forget them. */
  async keep(rows: readonly PoisonRow[]): Promise<void> {
    const at = this.now().toISOString()
    const lines = rows.map(({ row, reason }) => `${JSON.stringify({ at, reason, row })}\n`)
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    const file = await open(join(this.folder, `${at.slice(0, 10)}.ndjson`), 'a', 0o600)
    try {
      await appendFile(file, lines.join(''))
      await file.sync()
    } finally {
      await file.close()
    }
  }
}
