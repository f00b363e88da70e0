import { z } from 'zod'
import type { RowOnDisk, ErasedRows } from '#persons/rows-on-disk'

const instant = z.string().transform((text, context) => {
  const at = new Date(text)
  if (!Number.isNaN(at.getTime())) return at
  context.addIssue('It is no instant.')
  return z.NEVER
})

const eventRow = z
  .object({
    project_id: z.number(),
    distinct_id: z.string(),
    person_id: z.string().optional(),
    timestamp: instant,
    received_at: instant,
  })
  .transform((row): RowOnDisk => ({
    projectId: row.project_id,
    distinctId: row.distinct_id,
    personId: row.person_id,
    at: row.timestamp,
    receivedAt: row.received_at,
  }))

/** Reads a row of the engine, or the first part of a journal line. Returns undefined for anything else. */
export function parseSetAsideRow(text: string): RowOnDisk | undefined {
  const [head = ''] = text.split('\t', 1)
  const { data } = eventRow.safeParse(parseJsonOrUndefined(text) ?? parseJsonOrUndefined(`${head}}`))
  return data
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Adds up the results of several files. */
export class ErasedRowTally {
  readonly rows = new Map<string, number>()
  unsearchedBytes = 0

  count(erasure: string): void {
    this.rows.set(erasure, (this.rows.get(erasure) ?? 0) + 1)
  }

  add({ rows, unsearchedBytes }: ErasedRows): void {
    for (const [erasure, amount] of rows) this.rows.set(erasure, (this.rows.get(erasure) ?? 0) + amount)
    this.unsearchedBytes += unsearchedBytes
  }
}
