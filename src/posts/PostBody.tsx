import { toJsxRuntime } from 'hast-util-to-jsx-runtime'
import type { ComponentProps, ComponentType, ReactNode } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import { type BlockAttributes, isDynamic, type DynamicBlock } from './blocks'
import type { PostDocument } from './markdown'

/** Components for blocks whose content depends on the reader or on recorded events. */
export type LiveBlocks = Partial<Record<DynamicBlock, ComponentType<LiveBlockProps>>>

export interface LiveBlockProps {
  /** Attributes as the post has them: all text, and any may be missing. */
  attributes: BlockAttributes
  children?: ReactNode
}

interface PostBodyProps {
  document: Pick<PostDocument, 'tree'>
  blocks?: LiveBlocks
  /** Where the body's own `#` is the title of the page. Elsewhere the page has one already, and it is drawn a level lower. */
  hasTitle?: boolean
}

const noBlocks: LiveBlocks = {}

/** The body of a post: elements and nothing that would need a script. */
export function PostBody({ document, blocks = noBlocks, hasTitle = false }: PostBodyProps) {
  return (
    <div className="prose" dir="auto">
      {toJsxRuntime(document.tree, {
        Fragment,
        jsx,
        jsxs,
        // styles of elements are not let in
        tableCellAlignToStyle: false,
        components: { div: divFor(blocks), ...(hasTitle ? {} : { h1: 'h2' }) },
      })}
    </div>
  )
}

type DivProps = ComponentProps<'div'> & { 'data-block'?: string; 'data-attributes'?: string }

/** A block that the page has nothing for leaves no trace, and neither does what it holds: it may be for others. */
const divFor = (blocks: LiveBlocks) =>
  function Division({ 'data-block': name, 'data-attributes': written, ...others }: DivProps) {
    if (name === undefined) return <div {...others} />
    const Block = isDynamic(name) ? blocks[name] : undefined
    return Block ? <Block attributes={attributesIn(written)}>{others.children}</Block> : null
  }

const attributesIn = (written = '{}'): BlockAttributes =>
  // `drawBlock` wrote it, and nothing else can
  JSON.parse(written) as BlockAttributes
