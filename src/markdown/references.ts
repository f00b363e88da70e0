import { linesOf } from './internal/lines'

/** Labels that are defined in one place of a text and used in others: addresses of links, and footnotes. */
export interface MarkdownReferences {
  /** The lines of definitions, by label. */
  addresses: ReadonlyMap<string, string>
  footnotes: ReadonlySet<string>
}

export function collectReferences(text: string): MarkdownReferences {
  const addresses = new Map<string, string>()
  const footnotes = new Set<string>()
  const lines = [...linesOf(text)].filter(({ isCode }) => !isCode).map((line) => line.text)
  for (const [place, line] of lines.entries()) {
    const [, footnote, label, rest = ''] = definitionPattern.exec(line) ?? []
    if (footnote !== undefined) footnotes.add(normalizeLabel(footnote))
    else if (label !== undefined && !addresses.has(normalizeLabel(label)))
      addresses.set(normalizeLabel(label), definitionText(line, rest, lines.slice(place + 1, place + 3)))
  }
  return { addresses, footnotes }
}

const definitionPattern = /^ {0,3}\[(?:\^([^\]\s]{1,999})|((?:\\.|[^[\]\\]){1,999}))\]:(.*)$/

/** The address may stand on the line after the label, and a title on the one after that. */
function definitionText(line: string, rest: string, following: readonly string[]): string {
  const lineCount = rest.trim() === '' ? 1 : 0
  const title = following[lineCount] ?? ''
  const lines = [line, ...following.slice(0, lineCount), ...(titlePattern.test(title) ? [title] : [])]
  return lines.join('\n')
}

const titlePattern = /^\s*(?:"[^"]*"|'[^']*'|\([^()]*\))\s*$/

/** Returns the definitions to put before a part for the labels it uses, and a rule that holds them apart. */
export function definitionsFor(part: string, { addresses, footnotes }: MarkdownReferences): string {
  if (addresses.size === 0 && footnotes.size === 0) return ''
  const used = new Set([...part.matchAll(/\[((?:\\.|[^[\]\\]){1,999})\]/g)].map(([, label = '']) => label))
  const lines = [...used].flatMap((label) => {
    if (label.startsWith('^')) return footnotes.has(normalizeLabel(label.slice(1))) ? [`[${label}]: .`] : []
    return addresses.get(normalizeLabel(label)) ?? []
  })
  return lines.length > 0 ? `${lines.join('\n\n')}\n\n---\n\n` : ''
}

/** Labels that differ only in capitals and spaces are one. */
const normalizeLabel = (label: string): string =>
  label.trim().replaceAll(/\s+/g, ' ').toLowerCase().toUpperCase()
