/** A text, and the stretch of it that is selected. */
export interface TextSelection {
  text: string
  from: number
  to: number
}

/** The replaced range, its new text, and the selection afterwards. */
export interface TextEdit extends TextSelection {
  selectFrom: number
  selectTo: number
}

export type MarkdownCommand = (selected: TextSelection) => TextEdit

/** Makes the selection bold, or no longer bold. An empty selection gets a word to be written over. */
export const toggleMark =
  (mark: string, word: string): MarkdownCommand =>
  (selected) => {
    const { text, from, to } = selected
    const inner = text.slice(from, to)
    const isAround = text.slice(0, from).endsWith(mark) && text.slice(to).startsWith(mark)
    if (isAround)
      return selecting({ text: inner, from: from - mark.length, to: to + mark.length }, 0, inner.length)
    if (isInside(inner, mark)) {
      const bare = inner.slice(mark.length, -mark.length)
      return selecting({ text: bare, from, to }, 0, bare.length)
    }
    const content = inner || word
    return selecting({ text: mark + content + mark, from, to }, mark.length, content.length)
  }

const isInside = (inner: string, mark: string): boolean =>
  inner.length > 2 * mark.length && inner.startsWith(mark) && inner.endsWith(mark)

/** The beginning of a line, by its index among the selected lines, and the pattern that recognises it. */
interface LineMark {
  write: (place: number) => string
  known: RegExp
}

const lineMarks = {
  quote: { write: () => '> ', known: /^> ?/ },
  list: { write: () => '- ', known: /^[-*+] / },
  numbers: { write: (index) => `${index + 1}. `, known: /^\d+[.)] / },
} satisfies Record<string, LineMark>

/** Every selected line becomes one of a list or a quotation; when all are, none is any longer. */
export const toggleLineMark = (name: keyof typeof lineMarks): MarkdownCommand => {
  const { write, known } = lineMarks[name]
  return eachLine((lines) =>
    lines.every((line) => known.test(line))
      ? lines.map((line) => line.replace(known, ''))
      : lines.map((line, index) => write(index) + line.replace(anyMark, '')),
  )
}

const anyMark = /^(?:> ?|[-*+] |\d+[.)] )/

/** A line becomes a heading of the second order, then of the third, then a line again. */
export const heading: MarkdownCommand = (selected) => eachLine((lines) => lines.map(nextHeading))(selected)

function nextHeading(line: string): string {
  const words = line.replace(/^#{1,6} +/, '')
  if (line.startsWith('## ')) return `### ${words}`
  return /^#{3,6} /.test(line) ? words : `## ${words}`
}

const eachLine =
  (change: (lines: string[]) => string[]): MarkdownCommand =>
  ({ text, from, to }) => {
    const start = text.lastIndexOf('\n', from - 1) + 1
    const end = endOfLine(text, to)
    const changed = change(text.slice(start, end).split('\n')).join('\n')
    return selecting({ text: changed, from: start, to: end }, 0, changed.length)
  }

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

const address = /^(?:https?:\/\/|mailto:)\S+$/

/** A selected text becomes the text of a link; a selected address becomes its target. */
export const link: MarkdownCommand = ({ text, from, to }) => {
  const inner = text.slice(from, to)
  if (address.test(inner)) return selecting({ text: `[words](${inner})`, from, to }, 1, 'words'.length)
  const words = inner || 'words'
  return selecting({ text: `[${words}](https://)`, from, to }, words.length + 3, 'https://'.length)
}

/** Within a line it is marked as code; several lines are fenced in. */
export const code: MarkdownCommand = (selected) => {
  const inner = selected.text.slice(selected.from, selected.to)
  if (!inner.includes('\n')) return toggleMark('`', 'code')(selected)
  return asOwnBlock(`\`\`\`\n${inner}\n\`\`\``, selected)
}

export const table: MarkdownCommand = (selected) =>
  paragraph('| Name | What it is |\n| --- | --- |\n| One | … |')(selected)

/** Inserts after the selection, which stays unchanged. */
export const insertText =
  (text: string): MarkdownCommand =>
  ({ to }) =>
    selecting({ text, from: to, to }, text.length, 0)

/** The same on lines of its own, with an empty one before and after. */
export const paragraph =
  (block: string): MarkdownCommand =>
  ({ text, to }) =>
    asOwnBlock(block, { text, from: to, to })

function asOwnBlock(block: string, { text, from, to }: TextSelection): TextEdit {
  const before = gapAfter(text.slice(0, from))
  const after = gapBefore(text.slice(to))
  return selecting({ text: before + block + after, from, to }, before.length + block.length, 0)
}

function gapAfter(before: string): string {
  if (before === '' || before.endsWith('\n\n')) return ''
  return before.endsWith('\n') ? '\n' : '\n\n'
}

function gapBefore(after: string): string {
  if (after.startsWith('\n\n')) return ''
  return after.startsWith('\n') || after === '' ? '\n' : '\n\n'
}

const listItem = /^(\s*)([-*+]|(\d+)([.)]))( \[[ x]\])? (.*)$/

/** Enter within a list begins the next item; on an item without words it ends the list. */
export function nextItem({ text, from, to }: TextSelection): TextEdit | undefined {
  const start = text.lastIndexOf('\n', from - 1) + 1
  const found = listItem.exec(text.slice(start, from))
  if (!found || from !== to) return undefined

  const [, indent = '', mark = '', count, closing, box, words] = found
  if (words === '') return selecting({ text: '', from: start, to }, 0, 0)
  const next = count === undefined ? mark : `${Number(count) + 1}${closing}`
  const begun = `\n${indent}${next}${box ? ' [ ]' : ''} `
  return selecting({ text: begun, from, to }, begun.length, 0)
}

/** `at` counts from where the new text begins. */
const selecting = (replaced: TextSelection, at: number, length: number): TextEdit => ({
  ...replaced,
  selectFrom: replaced.from + at,
  selectTo: replaced.from + at + length,
})
