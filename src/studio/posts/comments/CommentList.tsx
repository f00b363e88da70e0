'use client'

import { Check, EyeOff, MessageSquareText, Trash2 } from 'lucide-react'
import type { Comment, CommentState } from '#posts/comments/comment'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Anchor } from '#ui/Anchor'
import { Button } from '#ui/Button'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { paths } from '#studio/paths'
import { useDirectChange } from '#studio/parts/Change'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { decideComment, removeComment } from './actions'

export interface CommentRow {
  comment: Comment
  /** The commented post; undefined if it is no longer published. */
  post: { id: string; title: string } | undefined
}

interface CommentListProps {
  slug: string
  state: CommentState
  rows: readonly CommentRow[]
  clock: Clock
  whyNot: string | undefined
}

const emptyMessages: Readonly<Record<CommentState, { title: string; body: string }>> = {
  waiting: {
    title: 'No comments to approve',
    body: 'Turn on comments in a post’s settings. New comments appear here for approval.',
  },
  shown: { title: 'No approved comments', body: 'Approve a waiting comment to show it below its post.' },
  hidden: { title: 'No hidden comments', body: 'Hidden comments stay here until you remove them.' },
}

export function CommentList({ slug, state, rows, clock, whyNot }: CommentListProps) {
  if (rows.length === 0)
    return <EmptyMessage icon={<Icon of={MessageSquareText} size="lg" />} {...emptyMessages[state]} />
  return (
    <ul className="divide-y divide-line">
      {rows.map((row) => (
        <li
          key={row.comment.id}
          className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-4 py-4"
        >
          <CommentText row={row} slug={slug} clock={clock} />
          <div className="flex items-center gap-1">
            <CommentDecisions slug={slug} comment={row.comment} whyNot={whyNot} />
            <Remove slug={slug} comment={row.comment} whyNot={whyNot} />
          </div>
        </li>
      ))}
    </ul>
  )
}

function CommentText({
  row: { comment, post },
  slug,
  clock,
}: {
  row: CommentRow
  slug: string
  clock: Clock
}) {
  return (
    <div className="min-w-0 grow basis-80">
      <p className="text-muted">
        <strong className="font-medium text-ink">{comment.name}</strong>{' '}
        <RelativeTime at={comment.writtenAt} clock={clock} /> below{' '}
        {post ? <Anchor href={paths.post(slug, post.id)}>{post.title}</Anchor> : 'a deleted post'}
      </p>
      <p className="mt-1 max-w-prose whitespace-pre-line wrap-anywhere">{comment.text}</p>
    </div>
  )
}

interface CommentActionProps {
  slug: string
  comment: Comment
  whyNot: string | undefined
}

function CommentDecisions({ slug, comment: { id, name, state }, whyNot }: CommentActionProps) {
  const { make, question } = useDirectChange()
  const decide = (next: CommentState, saved: string) => () =>
    void make(() => decideComment(slug, id, next), {
      saved,
      undo: state === 'waiting' ? undefined : () => void make(() => decideComment(slug, id, state), {}),
    })
  return (
    <>
      {state !== 'shown' && (
        <Button
          size="sm"
          icon={<Icon of={Check} />}
          disabledReason={whyNot}
          onClick={decide('shown', `${name}’s comment approved`)}
        >
          Show
        </Button>
      )}
      {state !== 'hidden' && (
        <Button
          size="sm"
          variant="quiet"
          icon={<Icon of={EyeOff} />}
          disabledReason={whyNot}
          onClick={decide('hidden', `${name}’s comment hidden`)}
        >
          Hide
        </Button>
      )}
      {question}
    </>
  )
}

function Remove({ slug, comment: { id, name }, whyNot }: CommentActionProps) {
  const { make, question } = useDirectChange()
  return (
    <AlertDialog
      title={`Remove ${name}’s comment?`}
      body={
        <>
          This permanently deletes what {name} wrote.
          {question}
        </>
      }
      confirmLabel="Remove comment"
      onConfirm={() => make(() => removeComment(slug, id), { saved: 'Comment removed' })}
      trigger={
        <IconButton label={`Remove ${name}’s comment`} icon={<Icon of={Trash2} />} disabledReason={whyNot} />
      }
    />
  )
}
