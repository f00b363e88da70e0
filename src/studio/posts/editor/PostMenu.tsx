'use client'

import { ArchiveX, ExternalLink, EyeOff, History, Link2, Mail, MoreHorizontal, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { PostState } from '#posts/post'
import { Button } from '#ui/Button'
import { CopyField } from '#ui/copy/CopyField'
import { Dialog } from '#ui/overlay/Dialog'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Menu, type MenuEntry } from '#ui/overlay/Menu'
import { useToast } from '#ui/overlay/Toast'
import { paths } from '#studio/paths'
import { archiveEntry } from '#studio/parts/archive-entry'
import { useDirectChange } from '#studio/parts/Change'
import { archivePost, previewLink, republishPost, restorePost, unpublishPost } from '../actions'

interface PostMenuProps {
  slug: string
  id: string
  title: string
  state: PostState
  /** The date of publication, past or planned. */
  publishedAt: Date | undefined
  whyNot: string | undefined
  /** Whether there are changes that readers do not see, saved or not. */
  hasChanges: boolean
  discardChanges: () => void
}

export function PostMenu(props: PostMenuProps) {
  const { slug, id, title, state, whyNot } = props
  const { question, fail, make } = usePostMenuFeedback()
  const [link, setLink] = useState<string>()
  const restore = () =>
    fail(make(() => restorePost(slug, id), { saved: `“${title}” restored`, leavesList: true }))
  const archive = () =>
    fail(
      make(() => archivePost(slug, id), {
        saved: `“${title}” archived`,
        undo: restore,
        leavesList: true,
      }),
    )
  const share = () => fail(make(() => previewLink(slug, id), { onDone: (made) => setLink(made.address) }))

  return (
    <>
      {question}
      <Menu
        align="end"
        trigger={<IconButton label={`More about ${title}`} icon={<Icon of={MoreHorizontal} />} />}
        entries={[
          {
            label: 'Preview link…',
            icon: <Icon of={Link2} />,
            onSelect: share,
            disabledReason: state === 'archived' ? 'It is archived.' : undefined,
          },
          {
            kind: 'link',
            label: 'Send as newsletter…',
            icon: <Icon of={Mail} />,
            href: paths.newLetter(slug, { post: id }),
          },
          { kind: 'link', label: 'History', icon: <Icon of={History} />, href: paths.postHistory(slug, id) },
          { kind: 'separator' },
          ...discardEntry(props),
          ...withdrawEntry(props, { fail, make }),
          archiveEntry({ isArchived: state === 'archived', archive, restore, whyNot }),
        ]}
      />
      {link !== undefined && <PreviewLink address={link} onClose={() => setLink(undefined)} />}
    </>
  )
}

function discardEntry({ state, whyNot, hasChanges, discardChanges }: PostMenuProps): MenuEntry[] {
  if (state !== 'published') return []
  return [
    {
      label: 'Discard changes',
      icon: <Icon of={Undo2} />,
      onSelect: discardChanges,
      disabledReason: whyNot ?? (hasChanges ? undefined : 'No changes to discard.'),
    },
  ]
}

type PostMenuFeedback = Omit<ReturnType<typeof usePostMenuFeedback>, 'question'>

/** Out of the readers' sight; the time it had is given back by undoing. */
function withdrawEntry(
  { slug, id, title, state, publishedAt, whyNot }: PostMenuProps,
  { fail, make }: PostMenuFeedback,
) {
  if (state !== 'published' && state !== 'scheduled') return []
  const again = () =>
    fail(
      make(() => republishPost(slug, id, publishedAt?.toISOString()), {
        saved: `“${title}” is ${state} again`,
      }),
    )
  const entry: MenuEntry = {
    label: state === 'published' ? 'Unpublish' : 'Unschedule',
    icon: <Icon of={state === 'published' ? EyeOff : ArchiveX} />,
    onSelect: () =>
      fail(make(() => unpublishPost(slug, id), { saved: `“${title}” is a draft again`, undo: again })),
    disabledReason: whyNot,
  }
  return [entry]
}

/** Problems of a menu's change appear as a toast. */
function usePostMenuFeedback() {
  const showToast = useToast()
  const { make, question } = useDirectChange()
  const fail = (made: Promise<{ error: string } | undefined>) =>
    void made.then((failed) => failed && showToast({ title: failed.error, tone: 'danger' }))
  return { make, question, fail }
}

function PreviewLink({ address, onClose }: { address: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Preview link"
      description="Anyone with the link can read the saved version, unpublished changes included, for seven days. Search engines cannot index it."
      footer={
        <>
          <Button onClick={onClose}>Done</Button>
          <Button
            variant="primary"
            icon={<Icon of={ExternalLink} />}
            onClick={() => window.open(address, '_blank', 'noopener')}
          >
            Open
          </Button>
        </>
      }
    >
      <CopyField label="Link" value={address} />
    </Dialog>
  )
}
