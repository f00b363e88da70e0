type Data = Record<string, unknown>

/** Flags of an event with their values: given, or named and then found among those the page has written down. */
export function flagValues(flags: string[] | Data | undefined): Data | undefined {
  const written = flagsOnPage()
  if (!flags) return Object.keys(written).length > 0 ? written : undefined
  if (!Array.isArray(flags)) return flags
  return Object.fromEntries(flags.map((flag) => [flag, written[flag] ?? true]))
}

/** `<script type="application/json" data-flag-values>`; encrypted ones are for Vercel alone. */
function flagsOnPage(): Data {
  const values: Data = {}
  for (const { textContent } of document.querySelectorAll('script[data-flag-values]')) {
    try {
      Object.assign(values, JSON.parse(textContent ?? ''))
    } catch {
      // encrypted, or not for us
    }
  }
  return values
}
