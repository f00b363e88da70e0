import type { SourceBlock } from '#markdown/source-blocks'

/** "most-read" is called "Most read". */
export const blockLabel = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')

const labels: Partial<Record<SourceBlock['type'], string>> = {
  paragraph: 'Paragraph',
  heading: 'Heading',
  list: 'List',
  blockquote: 'Quotation',
  code: 'Code',
  table: 'Table',
  thematicBreak: 'Divider',
  definition: 'Link address',
  footnoteDefinition: 'Footnote',
}

/** The label of a block: "Heading", "Note", "Image". */
export function kindOf({ type, source }: Pick<SourceBlock, 'type' | 'source'>): string {
  if (type === 'containerDirective' || type === 'leafDirective') {
    const [, name = 'block'] = /^\s*:{2,}([\w-]+)/.exec(source) ?? []
    return blockLabel(name)
  }
  if (type === 'paragraph' && /^!\[(?:\\.|[^\]\\])*\]\([^)]*\)$/.test(source.trim())) return 'Image'
  return labels[type] ?? 'Text'
}

/** Written in the letters of code: what matters in it is where each mark stands. */
export const isTechnical = ({ type }: Pick<SourceBlock, 'type'>): boolean =>
  !['paragraph', 'heading', 'list', 'blockquote', 'thematicBreak'].includes(type)

/** Shown as it is written: readers see nothing at its place. */
export const isUndrawn = ({ type }: Pick<SourceBlock, 'type'>): boolean =>
  type === 'definition' || type === 'footnoteDefinition'
