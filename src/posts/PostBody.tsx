import { toJsxRuntime } from 'hast-util-to-jsx-runtime'
import type { ComponentProps, ComponentType, ReactNode } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import { type BlockAttributes, isDynamic, type DynamicBlock } from './blocks'
import type { PostDocument } from './markdown'

/** Components for blocks whose content depends on the reader or on recorded events. */
export type LiveBlocks = Partial<Record<DynamicBlock, ComponentType<LiveBlockProps>>>

export interface LiveBlockProps {
  /** Attributes as in the post: all are texts, and any may be missing. */
  attributes: BlockAttributes
  children?: ReactNode
}

interface PostBodyProps {
  document: Pick<PostDocument, 'tree'>
  blocks?: LiveBlocks
  /**
   * Whether the body's own `#` is the title of the page. Otherwise the page has a title, and headings of level one are
   * rendered one level lower.
   */
  hasTitle?: boolean
}

const noBlocks: LiveBlocks = {}

/** The body of a post: elements that need no script. */
export function PostBody({ document, blocks = noBlocks, hasTitle = false }: PostBodyProps) {
  return (
    <div className="prose" dir="auto">
      {toJsxRuntime(document.tree, {
        Fragment,
        jsx,
        jsxs,
        // elements have no styles of their own
        tableCellAlignToStyle: false,
        components: { div: divFor(blocks), ...(hasTitle ? {} : { h1: 'h2' }) },
      })}
    </div>
  )
}

type DivProps = ComponentProps<'div'> & { 'data-block'?: string; 'data-attributes'?: string }

/** A block without a component renders nothing, including its content, which may be meant for other visitors. */
const divFor = (blocks: LiveBlocks) =>
  function Division({ 'data-block': name, 'data-attributes': written, ...others }: DivProps) {
    if (name === undefined) return <div {...others} />
    const Block = isDynamic(name) ? blocks[name] : undefined
    return Block ? <Block attributes={attributesIn(written)}>{others.children}</Block> : null
  }

const attributesIn = (written = '{}'): BlockAttributes =>
  // only `renderBlock` writes it
  JSON.parse(written) as BlockAttributes
