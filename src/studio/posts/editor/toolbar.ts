import {
  Bold,
  Code,
  Heading2,
  Italic,
  Link,
  List,
  ListOrdered,
  type LucideIcon,
  Quote,
  Table,
} from 'lucide-react'
import {
  code,
  type MarkdownCommand,
  heading,
  link,
  toggleLineMark,
  toggleMark,
  table,
} from './markdown-edits'

interface Tool {
  label: string
  icon: LucideIcon
  command: MarkdownCommand
  shortcut?: string
}

/** The formatting tools above the text, in groups. */
export const tools: readonly (readonly Tool[])[] = [
  [
    { label: 'Bold', icon: Bold, command: toggleMark('**', 'bold'), shortcut: 'mod+B' },
    { label: 'Italic', icon: Italic, command: toggleMark('*', 'italic'), shortcut: 'mod+I' },
    { label: 'Link', icon: Link, command: link, shortcut: 'mod+K' },
    { label: 'Code', icon: Code, command: code, shortcut: 'mod+E' },
  ],
  [
    { label: 'Heading', icon: Heading2, command: heading },
    { label: 'List', icon: List, command: toggleLineMark('list') },
    { label: 'Numbered list', icon: ListOrdered, command: toggleLineMark('numbers') },
    { label: 'Quotation', icon: Quote, command: toggleLineMark('quote') },
    { label: 'Table', icon: Table, command: table },
  ],
]

export const withShortcut = tools.flat().filter(({ shortcut }) => shortcut !== undefined)
