'use client'

import { clsx } from 'clsx'
import { useLayoutEffect, useRef, type RefObject } from 'react'
import type { PointValue, ReadRow } from './table-reader'

const maxLines = 12

/** The values of the point. The browser's top layer keeps panels from cutting it off. Not for screen readers. */
export function ChartTooltip({
  frame,
  shown,
  leads,
}: {
  frame: RefObject<HTMLElement | null>
  shown: ReadRow
  leads: boolean
}) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!box.current || !frame.current) return
    if (!box.current.matches(':popover-open')) box.current.showPopover()
    positionTooltip(box.current, frame.current.getBoundingClientRect(), shown)
  }, [frame, shown])

  const first = Math.max(0, Math.min(shown.line - maxLines + 1, shown.lines.length - maxLines))
  const lines = shown.lines.slice(first, first + maxLines)
  const rest = shown.lines.length - lines.length
  return (
    <div
      ref={box}
      popover="manual"
      aria-hidden
      className={clsx(
        'pointer-events-none fixed inset-auto m-0 w-max max-w-[min(20rem,calc(100vw-1rem))] rounded-md border',
        'border-line-raised bg-raised px-2.5 py-2 text-xs text-ink shadow-float',
      )}
    >
      <p className="mb-1 line-clamp-3 font-medium wrap-anywhere">
        <bdi>{shown.title}</bdi>
      </p>
      {lines.map((line, row) => (
        <TooltipLine key={row} line={line} isChosen={first + row === shown.line && shown.lines.length > 1} />
      ))}
      {rest > 0 && <p className="text-faint">and {rest} more</p>}
      {leads && <p className="mt-1 text-2xs text-faint">Click for details</p>}
    </div>
  )
}

function TooltipLine({ line, isChosen }: { line: PointValue; isChosen: boolean }) {
  return (
    <p
      className={clsx('flex items-center gap-2', isChosen ? 'font-medium' : line.isCompared && 'text-muted')}
    >
      {line.colour && (
        <span
          className={clsx('h-0.5 w-3 shrink-0 rounded-full', line.isCompared && 'opacity-50')}
          style={{ background: line.colour }}
        />
      )}
      <bdi className="min-w-0 grow truncate">{line.label}</bdi>
      <span className="pl-3 tabular-nums">{line.text}</span>
    </p>
  )
}

const gap = 14

/** Beside the point, on the side with room, and always inside the window. */
function positionTooltip(box: HTMLElement, frame: DOMRect, { x, y }: ReadRow) {
  const { width, height } = box.getBoundingClientRect()
  const pointX = frame.left + (x / 100) * frame.width
  const pointY = y === undefined ? frame.top : frame.top + (y / 100) * frame.height - height / 2
  const right = pointX + gap + width > window.innerWidth - 8 ? pointX - gap - width : pointX + gap
  box.style.left = `${clamp(right, window.innerWidth - width)}px`
  box.style.top = `${clamp(pointY, window.innerHeight - height)}px`
}

const clamp = (position: number, end: number) =>
  Math.round(Math.min(Math.max(position, 8), Math.max(end - 8, 8)))
