import { collectReferences, definitionsFor } from '#markdown/references'
import { type SourceBlocks, splitSourceBlocks } from '#markdown/source-blocks'
import { postSourceDialect } from './reading/internal/post-dialect'

/** The blocks of a post's body as they are written. */
export const splitPostBody = (body: string): SourceBlocks => splitSourceBlocks(body, postSourceDialect)

/** Returns what makes a block of the body readable alone: the addresses that it names and that are given elsewhere. */
export function addressesFor(body: string): (source: string) => string {
  if (!body.includes(']:')) return () => ''
  // a footnote would be drawn below every block that names it
  const references = { addresses: collectReferences(body).addresses, footnotes: new Set<string>() }
  // the rule that keeps footnotes apart would be drawn
  return (source) => definitionsFor(source, references).replace(/---\n\n$/, '')
}
