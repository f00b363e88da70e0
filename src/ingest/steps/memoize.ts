import { LRUCache } from 'lru-cache'

/** Longer texts are not cached: clients do not repeat them, and they could be used to fill the memory. */
const longest = 1000

/** Caches the last `most` answers of `find`, because clients repeat the same values. */
export function memoize<Answer extends {}>(
  most: number,
  find: (text: string) => Answer,
): (text: string) => Answer {
  const answers = new LRUCache<string, Answer>({ maxSize: most, sizeCalculation: () => 1 })
  return (text) => {
    const cached = answers.get(text)
    if (cached !== undefined) return cached
    const answer = find(text)
    if (text.length <= longest) answers.set(ownCopy(text), answer)
    return answer
  }
}

/** Copies the text: a substring would keep the whole text it was cut from, possibly a whole request, in memory. */
const ownCopy = (text: string): string => Buffer.from(text).toString()
