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
import { code, type Command, heading, link, linesMarked, marked, table } from './markdown-edits'

export interface Tool {
  label: string
  icon: LucideIcon
  command: Command
  shortcut?: string
}

/** What a press above the text does to it; in groups. */
export const tools: readonly (readonly Tool[])[] = [
  [
    { label: 'Bold', icon: Bold, command: marked('**', 'bold'), shortcut: 'mod+B' },
    { label: 'Italic', icon: Italic, command: marked('*', 'italic'), shortcut: 'mod+I' },
    { label: 'Link', icon: Link, command: link, shortcut: 'mod+K' },
    { label: 'Code', icon: Code, command: code, shortcut: 'mod+E' },
  ],
  [
    { label: 'Heading', icon: Heading2, command: heading },
    { label: 'List', icon: List, command: linesMarked('list') },
    { label: 'Numbered list', icon: ListOrdered, command: linesMarked('numbers') },
    { label: 'Quotation', icon: Quote, command: linesMarked('quote') },
    { label: 'Table', icon: Table, command: table },
  ],
]

export const withShortcut = tools.flat().filter(({ shortcut }) => shortcut !== undefined)
