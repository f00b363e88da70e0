'use client'

import { useEffect, useEffectEvent } from 'react'
import { isAppleKeyboard, isPressed, type Shortcut } from './keys'

/** Runs `act` when the keys are pressed anywhere, except while a field has the focus (unless a modifier is held). */
export function useShortcut(shortcut: Shortcut, act: () => void) {
  const listen = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || (isTyping(event) && !shortcut.includes('mod'))) return
    if (!isPressed(shortcut, event, isAppleKeyboard())) return
    event.preventDefault()
    act()
  })

  useEffect(() => {
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}
