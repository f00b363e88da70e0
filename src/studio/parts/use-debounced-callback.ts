'use client'

import { useEffect, useRef } from 'react'

/**
 * Debounces a callback. `settle` runs a pending call at once: call it when focus leaves the field, so that the next
 * click does not run before it.
 */
export function useDebouncedCallback(waitMs: number) {
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; work: () => void }>(undefined)
  useEffect(() => () => clearTimeout(waiting.current?.timer), [])

  function settle() {
    const { timer, work } = waiting.current ?? {}
    waiting.current = undefined
    clearTimeout(timer)
    work?.()
  }
  function later(work: () => void, ms = waitMs) {
    clearTimeout(waiting.current?.timer)
    waiting.current = { work, timer: setTimeout(settle, ms) }
  }
  return { later, settle }
}
