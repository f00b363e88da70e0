'use client'

import { type RefObject, useRef } from 'react'
import { useShortcut } from '../../../../../../ui/shortcut'
import type { Seen } from './feed'

interface Rows {
  rows: readonly Seen[]
  opened: number | undefined
  open: (id: number) => void
}

/** `j` and `k` go through the rows; where one is open, they open its neighbours. */
export function useRows({ rows, opened, open }: Rows): RefObject<HTMLOListElement | null> {
  const list = useRef<HTMLOListElement>(null)

  function move(by: 1 | -1) {
    if (opened === undefined) return focusNext(list.current, by)
    const place = rows.findIndex(({ id }) => id === opened)
    const next = rows[place + by]
    if (place >= 0 && next) open(next.id)
  }

  useShortcut('j', () => move(1))
  useShortcut('k', () => move(-1))
  return list
}

function focusNext(list: HTMLElement | null, by: 1 | -1) {
  const buttons = [...(list?.querySelectorAll('button') ?? [])]
  const place = buttons.findIndex((button) => button === document.activeElement)
  const next = place < 0 ? buttons[0] : buttons[place + by]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}
