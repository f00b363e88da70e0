import type { Root, RootContent } from 'mdast'
import { limitDepth } from './internal/limit-depth'
import { type MarkdownPart, splitParts } from './internal/parts'
import { collectReferences, definitionsFor, type MarkdownReferences } from './references'

/** The constructs of Markdown that a text may use. HTML is plain text in every dialect. */
export interface MarkdownDialect {
  /** Parses one part of a text. */
  parse: (part: string) => Root
  /** Whether a text may define link addresses and footnotes in one place and name them in others. */
  hasDefinitions: boolean
}

/** Parses a text in parts, because the parser's time grows with the square of the length. The tree's depth is limited. */
export function parseMarkdown(text: string, dialect: MarkdownDialect): Root {
  const clean = normalizeText(text)
  const references = dialect.hasDefinitions ? collectReferences(clean) : noReferences
  return limitDepth({
    type: 'root',
    children: splitParts(clean).flatMap((part) => parsePart(part, references, dialect)),
  })
}

/** The text with line feeds only. It has as many lines as before. */
export const normalizeText = (text: string): string =>
  text
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\0', '\uFFFD')

export const noReferences: MarkdownReferences = { addresses: new Map(), footnotes: new Set() }

function parsePart(
  { text, isPlain }: MarkdownPart,
  references: MarkdownReferences,
  dialect: MarkdownDialect,
): RootContent[] {
  if (isPlain) return [{ type: 'paragraph', children: [{ type: 'text', value: text.trim() }] }]
  const before = definitionsFor(text, references)
  return dialect
    .parse(before + text)
    .children.filter(
      ({ type, position }) => type === 'definition' || (position?.start.offset ?? 0) >= before.length,
    )
}
