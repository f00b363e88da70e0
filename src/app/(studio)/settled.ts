'use client'

import { useEffect, useRef } from 'react'

/**
 * Does something once nobody has changed their mind for a while. `settle` does it at once: call it where focus leaves,
 * so that what is pressed next is not overtaken by it.
 */
export function useSettled(waitMs: number) {
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
