import type { ReactNode } from 'react'
import type { BlockAttributes } from '#posts/blocks'
import type { LiveBlocks } from '#posts/PostBody'

/** Placeholders for blocks whose content depends on the visitor or on events. */
export const previewBlocks: LiveBlocks = {
  signup: ({ attributes, children }) => (
    <BlockPlaceholder says={`A sign-up form${blockName(attributes, 'name')}`}>{children}</BlockPlaceholder>
  ),
  survey: ({ attributes }) => (
    <BlockPlaceholder says={`A question for readers${blockName(attributes, 'question')}`} />
  ),
  variant: ({ attributes, children }) => (
    <BlockPlaceholder says={audienceText(attributes)}>{children}</BlockPlaceholder>
  ),
  latest: () => <BlockPlaceholder says="The newest posts" />,
  'most-read': () => <BlockPlaceholder says="Most read posts" />,
  readers: () => <BlockPlaceholder says="Current readers" />,
}

const blockName = (attributes: BlockAttributes, name: string): string =>
  attributes[name] ? `: ${attributes[name]}` : ''

const audienceText = ({ of = '…', is }: BlockAttributes): string =>
  is === undefined ? `Visible only where the flag ${of} is on` : `Visible only where the flag ${of} is ${is}`

function BlockPlaceholder({ says, children }: { says: string; children?: ReactNode }) {
  return (
    <div className="my-4 rounded-md border border-dashed border-line-strong px-4 py-3">
      <p className="text-xs text-muted">{says}</p>
      {children}
    </div>
  )
}
