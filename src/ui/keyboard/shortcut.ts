'use client'

import { useEffect, useEffectEvent } from 'react'
import { isAppleKeyboard, isPressed, type Shortcut } from './keys'

/** Runs `act` when the keys are pressed anywhere, except where they have another meaning (unless a modifier is held). */
export const useShortcut = (shortcut: Shortcut, act: () => void) => useShortcuts({ [shortcut]: act })

export function useShortcuts(acts: Record<Shortcut, () => void>) {
  const listen = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return
    const apple = isAppleKeyboard()
    const pressed = Object.entries(acts).find(([shortcut]) => isPressed(shortcut, event, apple))
    if (!pressed || (hasOwnKeys(event.target) && !pressed[0].includes('mod'))) return
    event.preventDefault()
    pressed[1]()
  })

  useEffect(() => {
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** The elements in which keys have another meaning: fields, and layers that have keys of their own. */
const withOwnKeys =
  'input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

/** Marks a part of a layer in which the keys of the page work too: the layer offers what they do. */
const withPageKeys = '[data-page-keys]'

export const hasOwnKeys = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(withOwnKeys) !== null && target.closest(withPageKeys) === null
