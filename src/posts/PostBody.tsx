import { toJsxRuntime } from 'hast-util-to-jsx-runtime'
import type { ComponentProps, ComponentType, ReactNode } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import { type BlockAttributes, isLive, type LiveBlock } from './blocks'
import type { PostDocument } from './markdown'

/** What a page draws a block with that depends on who reads, or on what happened. */
export type LiveBlocks = Partial<Record<LiveBlock, ComponentType<LiveBlockProps>>>

export interface LiveBlockProps {
  /** As the post says them: all text, and any of them may be missing. */
  attributes: BlockAttributes
  children?: ReactNode
}

interface PostBodyProps {
  document: Pick<PostDocument, 'tree'>
  blocks?: LiveBlocks
  /** Where the body's own `#` is the title of the page. Elsewhere the page has one already, and it is drawn a level lower. */
  hasTitle?: boolean
}

const none: LiveBlocks = {}

/** The body of a post: elements and nothing that would need a script. */
export function PostBody({ document, blocks = none, hasTitle = false }: PostBodyProps) {
  return (
    <div className="prose" dir="auto">
      {toJsxRuntime(document.tree, {
        Fragment,
        jsx,
        jsxs,
        // styles of elements are not let in
        tableCellAlignToStyle: false,
        components: { div: divisionFor(blocks), ...(hasTitle ? {} : { h1: 'h2' }) },
      })}
    </div>
  )
}

type Division = ComponentProps<'div'> & { 'data-block'?: string; 'data-attributes'?: string }

/** A block that the page has nothing for leaves no trace, and neither does what it holds: it may be for others. */
const divisionFor = (blocks: LiveBlocks) =>
  function Division({ 'data-block': name, 'data-attributes': written, ...others }: Division) {
    if (name === undefined) return <div {...others} />
    const Block = isLive(name) ? blocks[name] : undefined
    return Block ? <Block attributes={attributesIn(written)}>{others.children}</Block> : null
  }

const attributesIn = (written = '{}'): BlockAttributes =>
  // `drawBlock` wrote it, and nothing else can
  JSON.parse(written) as BlockAttributes
