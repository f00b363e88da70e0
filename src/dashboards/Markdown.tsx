import type { ReactNode } from 'react'
import { TextLink } from '#ui/Anchor'
import { type Block, type Inline, readPlainMarkdown } from '#markdown/plain-markdown'

/** The text of a text card. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-2.5 text-base wrap-anywhere text-pretty">
      {readPlainMarkdown(text).map((block, place) => (
        <BlockDrawn key={place} block={block} />
      ))}
    </div>
  )
}

const headings = {
  1: 'text-xl font-semibold',
  2: 'text-lg font-semibold',
  3: 'text-base font-semibold',
} as const

function BlockDrawn({ block }: { block: Block }): ReactNode {
  switch (block.type) {
    case 'heading':
      // the page has its own first heading; these stand below it
      return <h3 className={headings[block.level]}>{inlines(block.inside)}</h3>
    case 'list':
      return <ListDrawn {...block} />
    case 'quote':
      return (
        <blockquote className="border-l-2 border-line-strong pl-3 text-muted">
          {inlines(block.inside)}
        </blockquote>
      )
    case 'code':
      return (
        <pre className="rounded-md bg-sunken px-3 py-2 font-mono text-xs whitespace-pre-wrap">
          {block.text}
        </pre>
      )
    case 'rule':
      return <hr className="border-line" />
    default:
      return <p>{inlines(block.inside)}</p>
  }
}

function ListDrawn({ isNumbered, items }: Extract<Block, { type: 'list' }>) {
  const entries = items.map((item, place) => <li key={place}>{inlines(item)}</li>)
  return isNumbered ? (
    <ol className="flex list-decimal flex-col gap-1 pl-5">{entries}</ol>
  ) : (
    <ul className="flex list-disc flex-col gap-1 pl-5">{entries}</ul>
  )
}

const inlines = (parts: readonly Inline[]): ReactNode =>
  parts.map((part, place) => <InlineDrawn key={place} part={part} />)

function InlineDrawn({ part }: { part: Inline }): ReactNode {
  if (part.type === 'text') return part.text
  if (part.type === 'code')
    return <code className="rounded-xs bg-sunken px-1 font-mono text-xs">{part.text}</code>
  if (part.type !== 'link') return <Emphasis {...part} />
  const isOurs = part.href.startsWith('/')
  return (
    <TextLink href={part.href} {...(!isOurs && { rel: 'noreferrer nofollow', target: '_blank' })}>
      {inlines(part.inside)}
    </TextLink>
  )
}

const Emphasis = ({ type, inside }: { type: 'strong' | 'emphasis'; inside: Inline[] }) =>
  type === 'strong' ? (
    <strong className="font-semibold">{inlines(inside)}</strong>
  ) : (
    <em>{inlines(inside)}</em>
  )
