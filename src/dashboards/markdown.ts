/** Inline content: text, emphasis, code and links. */
export type Inline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'strong'; inside: Inline[] }
  | { type: 'emphasis'; inside: Inline[] }
  | { type: 'link'; href: string; inside: Inline[] }

/** A block: heading, paragraph, list, quote or code. */
export type Block =
  | { type: 'heading'; level: 1 | 2 | 3; inside: Inline[] }
  | { type: 'paragraph'; inside: Inline[] }
  | { type: 'list'; isNumbered: boolean; items: Inline[][] }
  | { type: 'quote'; inside: Inline[] }
  | { type: 'code'; text: string }
  | { type: 'rule' }

/** How lines of one kind begin, and which block a run of them becomes. The first matching rule wins. */
interface LineRule {
  is: RegExp
  /** Takes one line alone. */
  isAlone?: true
  make: (lines: readonly string[]) => Block
}

const lineRules: readonly LineRule[] = [
  { is: /^#{1,3}\s+\S/, isAlone: true, make: ([line = '']) => heading(line) },
  { is: /^(?:-{3,}|\*{3,}|_{3,})\s*$/, isAlone: true, make: () => ({ type: 'rule' }) },
  { is: /^[-*+]\s+/, make: (lines) => list(lines, /^[-*+]\s+/, false) },
  { is: /^\d{1,9}[.)]\s+/, make: (lines) => list(lines, /^\d{1,9}[.)]\s+/, true) },
  { is: /^>/, make: (lines) => ({ type: 'quote', inside: joinInline(lines, /^>\s?/) }) },
]
const paragraph: LineRule = {
  is: /./,
  make: (lines) => ({ type: 'paragraph', inside: joinInline(lines, /^$/) }),
}

/** Parses a subset of Markdown for notes between charts. HTML is plain text. */
export function readMarkdown(text: string): Block[] {
  const blocks: Block[] = []
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  for (let place = 0; place < lines.length;) {
    const taken = takeBlock(lines, place, blocks)
    place += Math.max(1, taken)
  }
  return blocks
}

/** Adds the block that begins at a line, and returns how many lines it took. */
function takeBlock(lines: readonly string[], place: number, blocks: Block[]): number {
  const line = lines[place] ?? ''
  if (line.trim() === '') return 1
  if (line.startsWith('```')) return takeCode(lines, place, blocks)
  const rule = ruleFor(line)
  const rest = lines.slice(place)
  const end = rule.isAlone ? 1 : rest.findIndex((one) => one.trim() === '' || ruleFor(one) !== rule)
  const own = end === -1 ? rest : rest.slice(0, end)
  blocks.push(rule.make(own.map((one) => one.trim())))
  return own.length
}

function takeCode(lines: readonly string[], place: number, blocks: Block[]): number {
  const rest = lines.slice(place + 1)
  const end = rest.findIndex((line) => line.startsWith('```'))
  const own = end === -1 ? rest : rest.slice(0, end)
  blocks.push({ type: 'code', text: own.join('\n') })
  return own.length + 2
}

const ruleFor = (line: string): LineRule => lineRules.find(({ is }) => is.test(line.trim())) ?? paragraph

function heading(line: string): Block {
  const level = line.indexOf(' ')
  return {
    type: 'heading',
    level: level === 1 || level === 2 ? level : 3,
    inside: inlineOf(line.slice(level)),
  }
}

const list = (lines: readonly string[], sign: RegExp, isNumbered: boolean): Block => ({
  type: 'list',
  isNumbered,
  items: lines.map((line) => inlineOf(line.replace(sign, ''))),
})

const joinInline = (lines: readonly string[], sign: RegExp): Inline[] =>
  inlineOf(lines.map((line) => line.replace(sign, '')).join(' '))

/** No part of a pattern can match what the next part matches, so matching takes linear time. */
const inlineRules: readonly [RegExp, (groups: readonly string[], depth: number) => Inline | undefined][] = [
  [/^`([^`]+)`/, ([text = '']) => ({ type: 'code', text })],
  [/^\*\*([^*\s][^*]*)\*\*/, ([text = ''], depth) => ({ type: 'strong', inside: inlineOf(text, depth) })],
  [/^\*([^*\s][^*]*)\*/, ([text = ''], depth) => ({ type: 'emphasis', inside: inlineOf(text, depth) })],
  [/^_([^_]+)_(?!\w)/, ([text = ''], depth) => ({ type: 'emphasis', inside: inlineOf(text, depth) })],
  [/^\[([^[\]]+)\]\(([^()\s]+)\)/, ([text = '', href = ''], depth) => linkTo(href, inlineOf(text, depth))],
]

/** The deepest nesting, such as emphasis in a link in emphasis. */
const deepest = 3

function inlineOf(text: string, depth = 0): Inline[] {
  const parts: Inline[] = []
  let plain = ''
  for (let place = 0; place < text.length;) {
    const found = depth < deepest ? markAt(text, place, depth + 1) : undefined
    if (found && plain) parts.push({ type: 'text', text: plain })
    if (found) parts.push(found.inline)
    plain = found ? '' : plain + text.charAt(place)
    place += found?.length ?? 1
  }
  if (plain.trim()) parts.push({ type: 'text', text: plain })
  return trimmed(parts)
}

function markAt(text: string, place: number, depth: number): { inline: Inline; length: number } | undefined {
  if (!'`*_['.includes(text.charAt(place))) return undefined
  // a name like some_thing_else is no emphasis
  if (text.charAt(place) === '_' && /\w/.test(text.charAt(place - 1))) return undefined
  const rest = text.slice(place, place + 2000)
  for (const [pattern, make] of inlineRules) {
    const match = pattern.exec(rest)
    const inline = match && make(match.slice(1), depth)
    if (inline) return { inline, length: match[0].length }
  }
  return undefined
}

/** Links only to web pages; any other target stays text. */
function linkTo(href: string, inside: Inline[]): Inline | undefined {
  const isPlace = /^(?:https?:\/\/|mailto:)[^\s]/i.test(href) || /^\/(?![/\\])/.test(href)
  return isPlace ? { type: 'link', href, inside } : undefined
}

function trimmed(parts: readonly Inline[]): Inline[] {
  return parts.map((part, place) => {
    if (part.type !== 'text') return part
    const started = place === 0 ? part.text.trimStart() : part.text
    return { type: 'text', text: place === parts.length - 1 ? started.trimEnd() : started }
  })
}
