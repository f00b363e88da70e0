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

interface EditorBarProps {
  trail: Crumb[]
  state: PostState
  /** When it will appear, in words. */
  planned: string | undefined
  /** The address for readers, once it is published. */
  address: string | undefined
  isUnsaved: boolean
  /** Whether a published post has changes that readers do not see, saved or not. */
  hasChanges: boolean
  isKept: boolean
  isSaving: boolean
  whyNot: string | undefined
  onSave: () => void
  onPublish: () => void
  onPublishChanges: () => void
  menu: ReactNode
}

/** The title, state and actions of the edited post. */
export function EditorBar(props: EditorBarProps) {
  const { trail, state, planned, address, isUnsaved, isKept, isSaving, whyNot, onSave, menu } = props
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5">
        <Breadcrumbs trail={trail} />
        <StateBadge state={state} />
        {state === 'published' && props.hasChanges && <UnpublishedBadge />}
        <output className="text-xs text-muted">{savedStateText(isUnsaved, isKept) ?? planned}</output>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {address !== undefined && (
          <LinkButton href={address} target="_blank" rel="noopener" icon={<Icon of={ExternalLink} />}>
            View
          </LinkButton>
        )}
        <Button
          variant="secondary"
          busy={isSaving}
          disabledReason={whyNot ?? (isUnsaved ? undefined : 'No unsaved changes.')}
          iconEnd={
            <span className="max-sm:hidden">
              <KeyHint keys="mod+S" />
            </span>
          }
          onClick={onSave}
        >
          Save
        </Button>
        <PublishButton {...props} />
        {menu}
      </div>
    </header>
  )
}

function PublishButton({ state, hasChanges, isSaving, whyNot, onPublish, onPublishChanges }: EditorBarProps) {
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

function savedStateText(isUnsaved: boolean, isKept: boolean): string | undefined {
  if (!isUnsaved) return undefined
  return isKept ? 'Not saved, draft kept in this browser' : 'Not saved'
}
