'use client'

import { Check, EyeOff, MessageSquareText, Trash2 } from 'lucide-react'
import type { Comment, CommentState } from '../../../../../../../posts/comment'
import { AlertDialog } from '../../../../../../../ui/AlertDialog'
import { Anchor } from '../../../../../../../ui/Anchor'
import { Button } from '../../../../../../../ui/Button'
import { EmptyMessage } from '../../../../../../../ui/EmptyMessage'
import { Icon } from '../../../../../../../ui/Icon'
import { IconButton } from '../../../../../../../ui/IconButton'
import { paths } from '../../../../../../paths'
import { useDirectChange } from '../../../../../Change'
import { type Clock, When } from '../../../../../When'
import { decideComment, removeComment } from './actions'

export interface CommentRow {
  comment: Comment
  /** Where it stands; undefined where the post is not published any more. */
  post: { id: string; title: string } | undefined
}

interface CommentListProps {
  slug: string
  state: CommentState
  rows: readonly CommentRow[]
  clock: Clock
  whyNot: string | undefined
}

const nothing: Readonly<Record<CommentState, { title: string; body: string }>> = {
  waiting: {
    title: 'Nothing waits for you',
    body: 'Switch comments on in a post’s settings. What readers write comes here first.',
  },
  shown: { title: 'No comment is shown yet', body: 'Let one in that waits, and it stands below its post.' },
  hidden: { title: 'Nothing is hidden', body: 'What you keep out is kept here, until you remove it.' },
}

export function CommentList({ slug, state, rows, clock, whyNot }: CommentListProps) {
  if (rows.length === 0)
    return <EmptyMessage icon={<Icon of={MessageSquareText} size="lg" />} {...nothing[state]} />
  return (
    <ul className="divide-y divide-line">
      {rows.map((row) => (
        <li
          key={row.comment.id}
          className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-4 py-4"
        >
          <Words row={row} slug={slug} clock={clock} />
          <div className="flex items-center gap-1">
            <Decide slug={slug} comment={row.comment} whyNot={whyNot} />
            <Remove slug={slug} comment={row.comment} whyNot={whyNot} />
          </div>
        </li>
      ))}
    </ul>
  )
}

function Words({ row: { comment, post }, slug, clock }: { row: CommentRow; slug: string; clock: Clock }) {
  return (
    <div className="min-w-0 grow basis-80">
      <p className="text-muted">
        <strong className="font-medium text-ink">{comment.name}</strong>{' '}
        <When at={comment.writtenAt} clock={clock} /> below{' '}
        {post ? (
          <Anchor href={paths.post(slug, post.id)}>{post.title}</Anchor>
        ) : (
          'a post that is not there any more'
        )}
      </p>
      <p className="mt-1 max-w-prose whitespace-pre-line wrap-anywhere">{comment.text}</p>
    </div>
  )
}

interface OfComment {
  slug: string
  comment: Comment
  whyNot: string | undefined
}

function Decide({ slug, comment: { id, name, state }, whyNot }: OfComment) {
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
          onClick={decide('shown', `${name}’s comment is shown`)}
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
          onClick={decide('hidden', `${name}’s comment is hidden`)}
        >
          Hide
        </Button>
      )}
      {question}
    </>
  )
}

function Remove({ slug, comment: { id, name }, whyNot }: OfComment) {
  const { make, question } = useDirectChange()
  return (
    <AlertDialog
      title={`Remove ${name}’s comment?`}
      body={
        <>
          It is gone for good, as is what {name} wrote.
          {question}
        </>
      }
      confirmLabel="Remove the comment"
      onConfirm={() => make(() => removeComment(slug, id), { saved: 'The comment is gone' })}
      trigger={
        <IconButton label={`Remove ${name}’s comment`} icon={<Icon of={Trash2} />} disabledReason={whyNot} />
      }
    />
  )
}
