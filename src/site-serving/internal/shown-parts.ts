/** A part of a page that no fingerprint describes: the cache is told of its changes, and never keeps it on disk. */
export type LivePart = 'comments' | 'survey'

const liveParts: ReadonlySet<string> = new Set<LivePart>(['comments', 'survey'])

/** The definitions of all flags of a project, on which pages that use decisions depend once they are on disk. */
export const flagsPart = 'flags'

/** `gone` means that a page shows something that is not published any more. */
export type ContentMatch = 'same' | 'changed' | 'gone'

/** Compares what a page shows with what is published now. */
export function compareContent(
  content: ReadonlyMap<string, string>,
  fingerprint: (part: string) => string | undefined,
): ContentMatch {
  let match: ContentMatch = 'same'
  for (const [part, shown] of content) {
    if (liveParts.has(part)) continue
    const current = fingerprint(part)
    if (current === undefined) return 'gone'
    if (current !== shown) match = 'changed'
  }
  return match
}

/** Whether a page may change without notice to its fingerprints, or names no content at all. */
export const isLive = (content: ReadonlyMap<string, string> | undefined): boolean =>
  !content || [...content.keys()].some((part) => liveParts.has(part))
