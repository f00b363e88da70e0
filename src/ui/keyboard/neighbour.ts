import type { KeyboardEvent } from 'react'

/** The index that an arrow key, Home or End leads to in a row that is walked in a circle; -1 is its last. */
export function neighbourOf(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (index + 1) % count
  if (key === 'ArrowLeft') return index - 1
  if (key === 'Home') return 0
  return key === 'End' ? -1 : undefined
}

/** Moves the focus along the buttons of a tab list or a toolbar. */
export function moveAlong(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const index = buttons.findIndex((button) => button === event.target)
  const next = neighbourOf(event.key, index, buttons.length)
  if (index < 0 || next === undefined) return
  event.preventDefault()
  buttons.at(next)?.focus()
}
