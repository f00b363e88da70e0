/** SQLite and Postgres both bound the number of values in a statement; this is far below either. */
const rowsPerStatement = 500

/** As many rows at once as a statement may name. */
export function* inBatches<Entry>(entries: readonly Entry[]): Generator<readonly Entry[]> {
  for (let start = 0; start < entries.length; start += rowsPerStatement)
    yield entries.slice(start, start + rowsPerStatement)
}

/** Instants are kept as text, which both forms of the store order alike. */
export const dateOrUndefined = (text: string | null): Date | undefined =>
  text === null ? undefined : new Date(text)

export const isoOrNull = (at: Date | undefined): string | null => at?.toISOString() ?? null
