/** SQLite and Postgres limit the number of values in a statement; this is far below both limits. */
const rowsPerStatement = 500

/** Splits rows into batches that fit into one statement. */
export function* inBatches<Entry>(entries: readonly Entry[]): Generator<readonly Entry[]> {
  for (let start = 0; start < entries.length; start += rowsPerStatement)
    yield entries.slice(start, start + rowsPerStatement)
}

/** An instant inside of JSON. */
export const dateOrUndefined = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text)
