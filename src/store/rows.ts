/** SQLite and Postgres both bound the number of values in a statement; this is far below either. */
const atOnce = 500

/** As many rows at once as a statement may name. */
export function* inPortions<Entry>(entries: readonly Entry[]): Generator<readonly Entry[]> {
  for (let start = 0; start < entries.length; start += atOnce) yield entries.slice(start, start + atOnce)
}

/** Instants are kept as text, which both forms of the store order alike. */
export const maybeDate = (text: string | null): Date | undefined =>
  text === null ? undefined : new Date(text)

export const maybeText = (at: Date | undefined): string | null => at?.toISOString() ?? null
