'use client'

import { useEffect, useEffectEvent, useRef } from 'react'

/** The second key has to follow within this time. */
const patienceMs = 1200

/** Where keys mean something else: fields, and layers that are moved through by keys. */
const deaf =
  'input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

/** `g`, then a letter: tells the letter. */
export function useGoTo(go: (key: string) => void) {
  const armedAt = useRef(-patienceMs)

  const listen = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isElsewhere(event)) return
    if (event.timeStamp - armedAt.current < patienceMs) {
      armedAt.current = -patienceMs
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

const isElsewhere = ({ target }: KeyboardEvent) => target instanceof Element && target.closest(deaf) !== null
