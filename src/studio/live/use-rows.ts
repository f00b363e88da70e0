'use client'

import { type RefObject, useRef } from 'react'
import { useShortcut } from '#ui/keyboard/shortcut'
import type { LiveFeedEntry } from './feed'

interface OpenedRow {
  rows: readonly LiveFeedEntry[]
  opened: number | undefined
  open: (id: number) => void
}

/** `j` and `k` go through the rows; where one is open, they open its neighbours. */
export function useRows({ rows, opened, open }: OpenedRow): RefObject<HTMLOListElement | null> {
  const list = useRef<HTMLOListElement>(null)

  function move(by: 1 | -1) {
    if (opened === undefined) return focusNext(list.current, by)
    const index = rows.findIndex(({ id }) => id === opened)
    const next = rows[index + by]
    if (index >= 0 && next) open(next.id)
  }

  useShortcut('j', () => move(1))
  useShortcut('k', () => move(-1))
  return list
}

function focusNext(list: HTMLElement | null, by: 1 | -1) {
  const buttons = [...(list?.querySelectorAll('button') ?? [])]
  const index = buttons.findIndex((button) => button === document.activeElement)
  const next = index < 0 ? buttons[0] : buttons[index + by]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}
