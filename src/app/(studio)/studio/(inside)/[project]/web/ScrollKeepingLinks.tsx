'use client'

import Link from 'next/link'
import type { ReactNode } from 'react'
import { type AnchorProps, AnchorProvider } from '#ui/Anchor'

/** Links that ask the same page something else: it stays where it was scrolled to, and is not fetched before a press. */
export const ScrollKeepingLinks = ({ children }: { children: ReactNode }) => (
  <AnchorProvider as={ScrollKeepingLink}>{children}</AnchorProvider>
)

function ScrollKeepingLink({ children, ...props }: AnchorProps) {
  if (!props.href.startsWith('/studio') || props.download !== undefined) return <a {...props}>{children}</a>
  return (
    <Link {...props} scroll={false} prefetch={false}>
      {children}
    </Link>
  )
}
