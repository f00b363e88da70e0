import { LRUCache } from 'lru-cache'

/** Longer texts are not cached: clients do not repeat them, and they could be used to fill the memory. */
const longest = 1000

/** Caches the last `most` answers of `find`, because clients repeat the same values. */
export function memoize<Answer extends {}>(
  most: number,
  find: (text: string) => Answer,
  mayCache: (text: string) => boolean = () => true,
): (text: string) => Answer {
  const answers = new LRUCache<string, Answer>({ maxSize: most, sizeCalculation: () => 1 })
  return (text) => {
    const cached = answers.get(text)
    if (cached !== undefined) return cached
    const answer = find(text)
    if (text.length <= longest && mayCache(text)) answers.set(ownCopy(text), answer)
    return answer
  }
}

/**
 * Caches like `memoize`, for texts of which most never come again: an answer is cached when it is asked for a second
 * time soon after the first. Caching costs more than finding most answers again.
 */
export function memoizeRepeated<Answer extends {}>(
  most: number,
  find: (text: string) => Answer,
): (text: string) => Answer {
  const askedBefore = new Int32Array(rememberedHashes)
  return memoize(most, find, (text) => {
    const hash = hashOf(text)
    const slot = hash & (rememberedHashes - 1)
    if (askedBefore[slot] === hash) return true
    askedBefore[slot] = hash
    return false
  })
}

/** A power of two. */
const rememberedHashes = 4096

/** FNV-1a, 32 bits. A collision only means that an answer is cached the first time. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5 | 0
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}

/** Copies the text: a substring would keep the whole text it was cut from, possibly a whole request, in memory. */
const ownCopy = (text: string): string => Buffer.from(text).toString()
