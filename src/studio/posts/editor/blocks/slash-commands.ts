import { blockList } from '#posts/blocks'
import { blockLabel } from './block-kinds'

/** A command of the menu behind `/`, which inserts into an empty block. */
export interface SlashCommand {
  label: string
  hint: string
  words?: string
  /** The Markdown of the block; the caret stands where `|` is, or at its end. */
  markdown: string
  /** An image is chosen first. */
  isImage?: true
}

const basics: readonly SlashCommand[] = [
  { label: 'Text', hint: 'A paragraph.', words: 'paragraph', markdown: '' },
  { label: 'Heading', hint: 'Begins a section.', words: 'h2 title', markdown: '## ' },
  { label: 'Small heading', hint: 'Begins a part of a section.', words: 'h3 subheading', markdown: '### ' },
  { label: 'List', hint: 'With bullets.', words: 'bullets unordered ul', markdown: '- ' },
  { label: 'Numbered list', hint: 'Steps, one after the other.', words: 'ordered ol', markdown: '1. ' },
  { label: 'Task list', hint: 'With check boxes.', words: 'todo checklist', markdown: '- [ ] ' },
  { label: 'Quotation', hint: 'Words of another.', words: 'quote blockquote', markdown: '> ' },
  {
    label: 'Code',
    hint: 'Highlighted; the language behind the ticks.',
    words: 'snippet fence',
    markdown: '```|\n\n```',
  },
  {
    label: 'Table',
    hint: 'Edited as a grid.',
    words: 'grid rows columns',
    markdown: '| Name | What it is |\n| --- | --- |\n| One | … |',
  },
  {
    label: 'Image',
    hint: 'From the library, or uploaded.',
    words: 'picture photo',
    markdown: '',
    isImage: true,
  },
  { label: 'Divider', hint: 'A line between sections.', words: 'rule hr', markdown: '---' },
]

/** The names that other editors have for these blocks. */
const otherWords: Readonly<Record<string, string>> = {
  note: 'callout info',
  tip: 'callout',
  warning: 'callout',
  danger: 'callout',
  details: 'toggle accordion collapse',
  questions: 'faq',
  prices: 'pricing plans',
  signup: 'newsletter form email letter',
  survey: 'poll nps rating',
  variant: 'experiment flag test',
  embed: 'video youtube vimeo',
}

export const slashCommands: readonly SlashCommand[] = [
  ...basics,
  ...blockList.map(({ name, does, example }) => ({
    label: blockLabel(name),
    hint: does.replaceAll('`', ''),
    words: otherWords[name] ?? '',
    markdown: example,
  })),
]

/** The text typed behind the slash while the block holds nothing else. */
export const slashSearch = (shown: string): string | undefined => /^\/([\w -]{0,30})$/.exec(shown)?.[1]

/** Commands with a matching name come first, then those that other words find. */
export function matchingCommands(search: string): readonly SlashCommand[] {
  const wanted = search.trim().toLowerCase()
  const rankOf = ({ label, words = '' }: SlashCommand): number => {
    if (label.toLowerCase().startsWith(wanted)) return 0
    if (words.split(' ').some((word) => word.startsWith(wanted))) return 1
    return label.toLowerCase().includes(wanted) ? 2 : 3
  }
  return slashCommands
    .map((command) => ({ command, rank: rankOf(command) }))
    .filter(({ rank }) => rank < 3)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ command }) => command)
}

/** The Markdown to put in, and where to write on in it. */
export function startOf({ markdown }: SlashCommand): { text: string; caret: number } {
  const mark = markdown.startsWith('```|') ? markdown.indexOf('|') : -1
  if (mark < 0) return { text: markdown, caret: markdown.length }
  return { text: markdown.slice(0, mark) + markdown.slice(mark + 1), caret: mark }
}
