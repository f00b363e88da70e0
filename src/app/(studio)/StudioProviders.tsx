'use client'

import Link, { useLinkStatus } from 'next/link'
import { type ReactNode, useState } from 'react'
import { createPortal } from 'react-dom'
import type { AnchorProps } from '#ui/Anchor'
import { UiProvider } from '#ui/UiProvider'

/** The providers of the whole interface. Links are Next's, for client-side navigation. */
export function StudioProviders({ nonce, children }: { nonce?: string; children: ReactNode }) {
  // Whatever is fetched later comes with a nonce of its own, while the browser goes by the document's to the end.
  const [nonceOfDocument] = useState(nonce)
  return (
    <UiProvider nonce={nonceOfDocument} link={SoftLink}>
      {children}
    </UiProvider>
  )
}

function SoftLink({ children, ...props }: AnchorProps) {
  if (!props.href.startsWith('/studio')) return <a {...props}>{children}</a>
  return (
    <Link {...props}>
      {children}
      <NavigationProgress />
    </Link>
  )
}

/**
 * A line across the top while the page a link leads to is late. Pages have no skeletons: most arrive sooner than one
 * could be seen, and React shows a skeleton that has appeared for 300 ms, however soon the page is there.
 */
function NavigationProgress() {
  const { pending } = useLinkStatus()
  if (!pending) return null

  return createPortal(
    <span
      aria-hidden
      className="fixed inset-x-0 top-0 z-tooltip h-0.5 overflow-hidden transition-opacity delay-250 starting:opacity-0"
    >
      <span className="block h-full w-1/3 animate-travel bg-accent" />
    </span>,
    document.body,
  )
}
