'use client'

import Link from 'next/link'
import type { ReactNode } from 'react'
import type { AnchorProps } from '../../ui/Anchor'
import { UiProvider } from '../../ui/UiProvider'

/** What every part of the interface stands on. Its links are Next's, so that they navigate softly. */
export function Ground({ nonce, children }: { nonce?: string; children: ReactNode }) {
  return (
    <UiProvider nonce={nonce} link={SoftLink}>
      {children}
    </UiProvider>
  )
}

/** Pages are rendered for whoever asks when they ask; a link is reason enough to prepare the way, not the page. */
function SoftLink(props: AnchorProps) {
  return props.href.startsWith('/studio') ? <Link {...props} /> : <a {...props}>{props.children}</a>
}
