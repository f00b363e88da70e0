import type { Json, Properties } from './event'

/** The beginnings of a text that may read as another value. */
const mayBeValue = /^(?:-?\d|true$|false$|[[{])/

/**
 * Returns the value that a stored text was sent as, unless it was sent as a text: a number, a boolean, a list or an
 * object; undefined if it can only have been a text. Ingest wrote the text (`textOfValue`), so "1.0" was a text.
 */
export function valueOfStoredText(text: string): Json | undefined {
  if (!mayBeValue.test(text)) return undefined
  if (text === 'true' || text === 'false') return text === 'true'
  const isStructure = text.startsWith('[') || text.startsWith('{')
  if (!isStructure) return String(Number(text)) === text ? Number(text) : undefined
  try {
    return JSON.parse(text) as Json // any JSON is one
  } catch {
    return undefined
  }
}

/** Lists the keys of texts that read as another value, as the engine stores them. */
export const stringKeysText = (keys: readonly string[]): string =>
  keys.length === 0 ? '' : JSON.stringify(keys)

/** Returns properties with the values that were sent; a list of `string_keys` names those that were texts. */
export function asSent(properties: Readonly<Record<string, string>>, stringKeys: string): Properties {
  const texts = new Set<unknown>(stringKeys === '' ? [] : (JSON.parse(stringKeys) as unknown[])) // as written above
  return Object.fromEntries(
    Object.entries(properties).map(([key, text]): [string, Json] => [
      key,
      texts.has(key) ? text : (valueOfStoredText(text) ?? text),
    ]),
  )
}
