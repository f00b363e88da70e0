'use client'

import { type ReactNode, useEffect, useReducer, useState } from 'react'
import type { Deferred } from './deferred'

/**
 * Loads a layer when it is first opened, and keeps it until it has faded out. A failure closes it, so that the next
 * press loads again.
 */
export function WhenOpened<Layer>({
  isOpen,
  load,
  onFailure,
  children,
}: {
  isOpen: boolean
  load: Deferred<Layer>
  onFailure: () => void
  children: (layer: Layer) => ReactNode
}) {
  const [wasOpen, setWasOpen] = useState(isOpen)
  const [, showLoaded] = useReducer((count: number) => count + 1, 0)
  if (isOpen && !wasOpen) setWasOpen(true)
  const isMissing = isOpen && load.loaded() === undefined
  useEffect(() => {
    if (isMissing) load.load().then(showLoaded, onFailure)
    // once for each time it is opened; `onFailure` is another function at each rendering
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isMissing, load])

  const loaded = load.loaded()
  return wasOpen && loaded ? children(loaded) : null
}
