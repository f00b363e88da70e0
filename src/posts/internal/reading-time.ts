/** The reading time of a text in Markdown, at least one minute. It is counted without parsing, because lists show it of every post. */
export const readingMinutes = (markdown: string): number =>
  Math.max(1, Math.round(countWords(wordsOnly(markdown)) / wordsPerMinute))

const wordsPerMinute = 220

/** Removes what is written but not read: addresses, the lines of blocks and fences, and marks that are no punctuation. */
const wordsOnly = (markdown: string): string =>
  markdown
    .replaceAll(/^ *(?:::|```|~~~).*$/gm, ' ')
    .replaceAll(/\]\([^)\s]*/g, ' ')
    .replaceAll(/https?:\/\/\S+|[`|~^=+<>$]/g, ' ')

/** Counts words. In scripts without spaces, two characters count as a word, because they take as long to read. */
export function countWords(text: string): number {
  const letters = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu)?.length ?? 0
  const others = text.match(/[^\s\p{P}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+/gu)?.length ?? 0
  return others + Math.ceil(letters / 2)
}
