'use client'

import { CSPProvider } from '@base-ui/react/csp-provider'
import { Tooltip } from '@base-ui/react/tooltip'
import type { ComponentType, ReactNode } from 'react'
import { AnchorProvider, type AnchorProps } from './Anchor'
import { ToastProvider } from './overlay/Toast'

/** What the parts share, once around the application: the page's nonce, its link component, tooltips, toasts. */
export function UiProvider({
  nonce,
  link,
  children,
}: {
  /** Of this response's Content-Security-Policy. */
  nonce?: string
  /** The framework's own link, so that links here navigate as its do. */
  link?: ComponentType<AnchorProps>
  children: ReactNode
}) {
  const tree = (
    <Tooltip.Provider>
      <ToastProvider>{children}</ToastProvider>
    </Tooltip.Provider>
  )
  return (
    <CSPProvider nonce={nonce}>{link ? <AnchorProvider as={link}>{tree}</AnchorProvider> : tree}</CSPProvider>
  )
}
