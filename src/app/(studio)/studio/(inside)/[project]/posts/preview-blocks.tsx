import type { ReactNode } from 'react'
import type { BlockAttributes } from '../../../../../../posts/blocks'
import type { LiveBlocks } from '../../../../../../posts/PostBody'

/** What depends on who reads, or on what happened, is not there before somebody reads: its place is shown instead. */
export const previewBlocks: LiveBlocks = {
  signup: ({ attributes, children }) => (
    <Place says={`A sign-up form${called(attributes, 'name')}`}>{children}</Place>
  ),
  survey: ({ attributes }) => <Place says={`A question to readers${called(attributes, 'question')}`} />,
  variant: ({ attributes, children }) => <Place says={forWhom(attributes)}>{children}</Place>,
  latest: () => <Place says="The newest posts" />,
  'most-read': () => <Place says="What was read most" />,
  readers: () => <Place says="How many are reading right now" />,
}

const called = (attributes: BlockAttributes, name: string): string =>
  attributes[name] ? `: ${attributes[name]}` : ''

const forWhom = ({ of = '…', is }: BlockAttributes): string =>
  is === undefined ? `Only where the flag ${of} is on` : `Only where the flag ${of} is ${is}`

function Place({ says, children }: { says: string; children?: ReactNode }) {
  return (
    <div className="my-4 rounded-md border border-dashed border-line-strong px-4 py-3">
      <p className="text-xs text-muted">{says}</p>
      {children}
    </div>
  )
}
