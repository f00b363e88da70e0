'use client'

import { clsx } from 'clsx'
import { useSyncExternalStore } from 'react'
import { isAppleKeyboard, displayedKeys, spoken } from './keys'
import { VisuallyHidden } from '../VisuallyHidden'

const noSubscription = () => () => {}
const onServer = () => false

/** Keys to press, named as on this machine's keyboard: `mod+K` is ⌘K on a Mac and Ctrl K elsewhere. */
export function KeyHint({ keys }: { keys: string }) {
  const apple = useSyncExternalStore(noSubscription, isAppleKeyboard, onServer)

  return (
    <span className="inline-flex items-center gap-0.5">
      <VisuallyHidden>{spoken(keys, apple)}</VisuallyHidden>
      {displayedKeys(keys, apple).map((key) => (
        <kbd
          key={key}
          aria-hidden
          className={clsx(
            'inline-grid h-4.5 min-w-4.5 place-items-center rounded-xs border border-current/20 px-1',
            'font-sans text-2xs leading-none',
          )}
        >
          {key}
        </kbd>
      ))}
    </span>
  )
}
