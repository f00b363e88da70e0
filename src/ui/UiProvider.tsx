'use client'

import { CSPProvider } from '@base-ui/react/csp-provider'
import type { ReactNode } from 'react'
import { Announcer } from './copy/Announcer'
import { ToastProvider } from './overlay/Toast'

/** The context that components share, once around the application: the page's nonce, toasts, announcements. */
export function UiProvider({
  nonce,
  children,
}: {
  /** Of this response's Content-Security-Policy. */
  nonce?: string
  children: ReactNode
}) {
  return (
    <CSPProvider nonce={nonce}>
      <ToastProvider>{children}</ToastProvider>
      <Announcer />
    </CSPProvider>
  )
}
