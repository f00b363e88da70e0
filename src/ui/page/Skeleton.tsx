import type { ReactNode } from 'react'
import { VisuallyHidden } from '../VisuallyHidden'

/** A placeholder for content that is loading. Give it the size of the content, as utilities: `className="h-8 w-40"`. */
export function Skeleton({ className = 'h-4 w-full' }: { className?: string }) {
  return <span aria-hidden className={`block animate-breathe rounded-sm bg-pressed ${className}`} />
}

/** A page's or a panel's stand-in. Says once that it is loading; the shapes inside stay silent. */
export function Loading({ label = 'Loading', children }: { label?: string; children: ReactNode }) {
  return (
    <div aria-live="polite" aria-busy="true">
      <VisuallyHidden>{label}</VisuallyHidden>
      {children}
    </div>
  )
}
