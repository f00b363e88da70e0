'use client'

import { type PointerEvent, type RefObject, useState } from 'react'

/** Near an edge of what scrolls, dragging scrolls. */
const edgePixels = 40
const scrollPixels = 12

interface BlockDrag {
  id: number
  /** The gap to drop into: 0 is before the first block. */
  dropAt: number
}

/** Drags a block with a mouse, a pen or a finger; `drop` gets the place it is to have among the others. */
export function useBlockDrag(frame: RefObject<HTMLElement | null>, drop: (id: number, to: number) => void) {
  const [drag, setDrag] = useState<BlockDrag>()
  const finish = (id: number, dropAt: number) => {
    const from = rowsOf(frame.current).findIndex((row) => row.dataset['blockRow'] === String(id))
    drop(id, dropAt > from ? dropAt - 1 : dropAt)
  }

  function begin(id: number, event: PointerEvent<HTMLElement>) {
    if (event.button !== 0) return
    event.preventDefault()
    const grip = event.currentTarget
    grip.setPointerCapture(event.pointerId)
    let dropAt: number | undefined
    const listeners = new AbortController()
    const { signal } = listeners
    const follow = ({ clientY }: globalThis.PointerEvent) => {
      scrollNear(grip, clientY)
      dropAt = gapAt(rowsOf(frame.current), clientY)
      setDrag({ id, dropAt })
    }
    const end = () => {
      listeners.abort()
      setDrag(undefined)
    }
    grip.addEventListener('pointermove', follow, { signal })
    grip.addEventListener('pointercancel', end, { signal })
    grip.addEventListener(
      'pointerup',
      () => {
        end()
        if (dropAt !== undefined) finish(id, dropAt)
      },
      { signal },
    )
  }

  return { dragged: drag?.id, dropAt: drag?.dropAt, begin }
}

const rowsOf = (frame: HTMLElement | null): HTMLElement[] => [
  ...(frame?.querySelectorAll<HTMLElement>('[data-block-row]') ?? []),
]

/** The gap between rows that is nearest to a height of the screen. */
function gapAt(rows: readonly HTMLElement[], y: number): number {
  const below = rows.findIndex((row) => {
    const { top, height } = row.getBoundingClientRect()
    return y < top + height / 2
  })
  return below < 0 ? rows.length : below
}

function scrollNear(grip: HTMLElement, y: number): void {
  const box = grip.closest<HTMLElement>('.post-preview')
  if (!box) return
  const { top, bottom } = box.getBoundingClientRect()
  if (y < top + edgePixels) box.scrollBy({ top: -scrollPixels })
  if (y > bottom - edgePixels) box.scrollBy({ top: scrollPixels })
}
