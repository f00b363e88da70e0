'use client'

import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { Breadcrumbs, type Crumb } from '#ui/page/Breadcrumbs'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { KeyHint } from '#ui/keyboard/KeyHint'
import { LinkButton } from '#ui/LinkButton'
import type { PostState } from '#posts/post'
import { StateBadge, UnpublishedBadge } from '../StateBadge'
import type { PostEditing } from './use-post-draft'

interface EditorBarProps {
  trail: Crumb[]
  state: PostState
  /** The planned date of publication, in words. */
  planned: string | undefined
  /** The address for readers, once it is published. */
  address: string | undefined
  editing: PostEditing
  whyNot: string | undefined
  onPublish: () => void
  onPublishChanges: () => void
  menu: ReactNode
}

/** The title, state and actions of the edited post. */
export function EditorBar(props: EditorBarProps) {
  const { trail, state, planned, address, editing, whyNot, menu } = props
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5">
        <Breadcrumbs trail={trail} />
        <StateBadge state={state} />
        {state === 'published' && editing.hasChanges && <UnpublishedBadge />}
        <output className="text-xs text-muted">
          {[planned, savedStateText(editing)].filter(Boolean).join(' · ')}
        </output>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {address !== undefined && (
          <LinkButton href={address} target="_blank" rel="noopener" icon={<Icon of={ExternalLink} />}>
            View
          </LinkButton>
        )}
        <Button
          variant="secondary"
          busy={editing.isSaving}
          disabledReason={whyNot}
          iconEnd={
            <span className="max-sm:hidden">
              <KeyHint keys="mod+S" />
            </span>
          }
          onClick={editing.saveSoon}
        >
          Save
        </Button>
        <PublishButton {...props} />
        {menu}
      </div>
    </header>
  )
}

function PublishButton({ state, editing, whyNot, onPublish, onPublishChanges }: EditorBarProps) {
  const { hasChanges, isSaving } = editing
  if (state === 'archived') return null
  if (state === 'published')
    return (
      <Button
        variant="primary"
        busy={isSaving}
        disabledReason={whyNot ?? (hasChanges ? undefined : 'Everything is published.')}
        onClick={onPublishChanges}
      >
        Publish changes
      </Button>
    )
  return (
    <Button variant="primary" disabledReason={whyNot} onClick={onPublish}>
      {state === 'draft' ? 'Publish…' : 'When…'}
    </Button>
  )
}

function savedStateText({ isAutosaving, isUnsaved, isAutosaved, kept }: PostEditing): string | undefined {
  if (isAutosaving) return 'Saving…'
  if (!isUnsaved) return isAutosaved ? 'All changes saved' : undefined
  return kept.isKept ? 'Not saved, draft kept in this browser' : 'Not saved'
}
