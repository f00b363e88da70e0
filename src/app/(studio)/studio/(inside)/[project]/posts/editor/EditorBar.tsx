'use client'

import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { Breadcrumbs, type Crumb } from '#ui/page/Breadcrumbs'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { KeyHint } from '#ui/keyboard/KeyHint'
import { LinkButton } from '#ui/LinkButton'
import type { PostState } from '#posts/post'
import { StateBadge } from '../StateBadge'

interface EditorBarProps {
  trail: Crumb[]
  state: PostState
  /** When it will appear, in words. */
  planned: string | undefined
  /** The address for readers, once it is published. */
  address: string | undefined
  isUnsaved: boolean
  isKept: boolean
  isSaving: boolean
  whyNot: string | undefined
  onSave: () => void
  onPublish: () => void
  menu: ReactNode
}

/** The title, state and actions of the edited post. */
export function EditorBar(props: EditorBarProps) {
  const { trail, state, planned, address, isUnsaved, isKept, isSaving, whyNot, onSave, onPublish, menu } =
    props
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5">
        <Breadcrumbs trail={trail} />
        <StateBadge state={state} />
        <output className="text-xs text-muted">{savedStateText(isUnsaved, isKept) ?? planned}</output>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {address !== undefined && (
          <LinkButton href={address} target="_blank" rel="noopener" icon={<Icon of={ExternalLink} />}>
            View
          </LinkButton>
        )}
        <Button
          variant={state === 'published' ? 'primary' : 'secondary'}
          busy={isSaving}
          disabledReason={whyNot ?? (isUnsaved ? undefined : 'Everything is saved.')}
          iconEnd={
            <span className="max-sm:hidden">
              <KeyHint keys="mod+S" />
            </span>
          }
          onClick={onSave}
        >
          {state === 'published' ? 'Update' : 'Save'}
        </Button>
        {(state === 'draft' || state === 'scheduled') && (
          <Button variant="primary" disabledReason={whyNot} onClick={onPublish}>
            {state === 'draft' ? 'Publish…' : 'When…'}
          </Button>
        )}
        {menu}
      </div>
    </header>
  )
}

function savedStateText(isUnsaved: boolean, isKept: boolean): string | undefined {
  if (!isUnsaved) return undefined
  return isKept ? 'Not saved, kept in this browser' : 'Not saved'
}
