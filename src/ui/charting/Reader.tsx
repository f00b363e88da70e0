'use client'

import { clsx } from 'clsx'
import { useRef, type KeyboardEvent, type MouseEvent, type PointerEvent, type ReactNode } from 'react'
import { Anchor } from '../Anchor'
import type { Pick } from '../chart'
import { Crosshair } from './Crosshair'
import { Keys } from './Keys'
import { Tip } from './Tip'
import { useReading, type ReadingWay } from './use-reading'

/**
 * Lets pointer and keyboard read a chart. It knows nothing of the chart but its table, in the same figure: a row is a
 * point, `data-x` and `data-y` say where it is drawn, `data-href` where it leads. So one small script serves them all.
 */
export function Reader({
  label,
  rows,
  way = 'along',
  band,
  stride,
  onPick,
  className,
  children,
}: {
  label: string
  rows: number
  way?: ReadingWay
  /** How wide a point is, in percent; a line is drawn through those without width. */
  band?: number
  /** In a grid: how many points away the next line is. */
  stride?: number
  onPick?: (pick: Pick) => void
  className?: string
  children: ReactNode
}) {
  const { frame, shown, show, hide, follow } = useReading(way)
  const link = useRef<HTMLAnchorElement>(null)
  const isFirstTouch = useRef(false)

  const line = shown?.lines[shown.line]
  const href = line?.href ?? shown?.href
  const leads = Boolean(href || onPick)

  function drill({ ctrlKey, metaKey, shiftKey }: MouseEvent | KeyboardEvent) {
    if (!shown) return
    onPick?.({ point: shown.row, series: line?.seriesKey ?? '', href })
    const keys = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }
    link.current?.dispatchEvent(new window.MouseEvent('click', keys))
  }

  /** A finger reads first and drills when it comes again; a mouse has read before it presses. */
  function touch(event: PointerEvent) {
    isFirstTouch.current = event.pointerType === 'touch' && !shown
    follow(event)
  }

  function press(event: MouseEvent) {
    const isOnItsOwn = event.target instanceof Element && event.target.closest('a, button')
    if (!isFirstTouch.current && !isOnItsOwn) drill(event)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
    <div
      ref={frame}
      className={clsx('chart-reader relative touch-pan-y', leads && 'cursor-pointer', className)}
      onPointerMove={follow}
      onPointerDown={touch}
      onPointerLeave={hide}
      onClick={press}
    >
      {children}
      {rows > 0 && (
        <Keys {...{ label, rows, stride, shown, leads }} onShow={show} onHide={hide} onDrill={drill} />
      )}
      {shown && way === 'along' && <Crosshair shown={shown} band={band} />}
      {shown && <Tip frame={frame} shown={shown} leads={leads} />}
      {href && (
        <Anchor ref={link} href={href} tabIndex={-1} aria-hidden className="hidden">
          {shown?.title}
        </Anchor>
      )}
    </div>
  )
}
