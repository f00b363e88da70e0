/** SQLite and Postgres limit the number of values in a statement; this is far below both limits. */
const rowsPerStatement = 500

/** Splits rows into batches that fit into one statement. */
export function* inBatches<Entry>(entries: readonly Entry[]): Generator<readonly Entry[]> {
  for (let start = 0; start < entries.length; start += rowsPerStatement)
    yield entries.slice(start, start + rowsPerStatement)
}

/** Instants are stored as text, which both databases sort in the same way. */
export const dateOrUndefined = (text: string | null): Date | undefined =>
  text === null ? undefined : new Date(text)

export const isoOrNull = (at: Date | undefined): string | null => at?.toISOString() ?? null
