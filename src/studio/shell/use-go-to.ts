'use client'

import { useEffect, useEffectEvent, useRef } from 'react'

/** The second key has to follow within this time. */
const chordTimeoutMs = 1200

/** Where keys mean something else: fields, and layers that are moved through by keys. */
const ignoringTargets =
  'input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

/** `g`, then a letter: tells the letter. */
export function useGoTo(go: (key: string) => void) {
  const armedAt = useRef(-chordTimeoutMs)

  const listen = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isIgnoredTarget(event))
      return
    if (event.timeStamp - armedAt.current < chordTimeoutMs) {
      armedAt.current = -chordTimeoutMs
      go(event.key.toLowerCase())
    } else if (event.key === 'g') {
      armedAt.current = event.timeStamp
    }
  })

  useEffect(() => {
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

const isIgnoredTarget = ({ target }: KeyboardEvent) =>
  target instanceof Element && target.closest(ignoringTargets) !== null
