/** Returns a pattern that finds a text as it stands. */
export const literalPattern = (text: string): string =>
  text.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`)

/** The longest pattern of several texts, below the limit of filters. */
const mostCharacters = 700

/** Joins texts to as few patterns as the limit of a pattern allows. */
export function alternatives(texts: readonly string[]): string[] {
  const joined: string[] = []
  let last = ''
  for (const text of texts.map(literalPattern)) {
    if (last !== '' && last.length + text.length > mostCharacters) {
      joined.push(last)
      last = ''
    }
    last = last === '' ? text : `${last}|${text}`
  }
  return last === '' ? joined : [...joined, last]
}

/** Whether a text has letters of two cases. */
export const hasCase = (text: string): boolean => text.toLowerCase() !== text.toUpperCase()

/** Plausible's wildcards: one or two asterisks stand for any characters. */
export const wildcardPattern = (text: string): string =>
  `^${text.split(/\*+/).map(literalPattern).join('.*')}$`
