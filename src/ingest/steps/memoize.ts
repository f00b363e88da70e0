import { LRUCache } from 'lru-cache'

/** Longer texts than this are not worth keeping: no sender repeats them but to fill the memory. */
const longest = 1000

/** `find`, which remembers its last `most` answers: senders repeat themselves, and looking twice finds the same. */
export function memoize<Answer extends {}>(
  most: number,
  find: (text: string) => Answer,
): (text: string) => Answer {
  const answers = new LRUCache<string, Answer>({ max: most })
  return (text) => {
    const cached = answers.get(text)
    if (cached !== undefined) return cached
    const answer = find(text)
    if (text.length <= longest) answers.set(ownCopy(text), answer)
    return answer
  }
}

/** A text that was cut out of another keeps all of that in memory, which may be a whole request. */
const ownCopy = (text: string): string => Buffer.from(text).toString()
