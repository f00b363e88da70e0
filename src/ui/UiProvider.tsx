'use client'

import { CSPProvider } from '@base-ui/react/csp-provider'
import { type ReactNode, useSyncExternalStore } from 'react'
import { announcement } from './copy/copy'
import { ToastProvider } from './overlay/Toast'
import { VisuallyHidden } from './VisuallyHidden'

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

/** The one live region of the page that says what was copied. Its `aria-live` keeps it readable beside a dialog. */
const Announcer = () => (
  <VisuallyHidden>
    <output aria-live="polite">
      {useSyncExternalStore(announcement.subscribe, announcement.read, () => '')}
    </output>
  </VisuallyHidden>
)
