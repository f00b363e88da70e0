'use client'

import { clsx } from 'clsx'
import {
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type Ref,
} from 'react'
import { Anchor } from '#ui/Anchor'
import type { PointPick } from '../chart'
import { useIsStill } from '../still-charts'
import { KeyboardReader } from './KeyboardReader'
import { ChartTooltip } from './ChartTooltip'
import { useReadRow, type PointingMode } from './use-read-row'
import type { PointValue, ReadRow } from './table-reader'

/**
 * Lets pointer and keyboard read a chart. It knows nothing of the chart but its table, in the same figure: a row is a
 * point, `data-x` and `data-y` say where it is drawn, `data-href` where it leads. So one small script serves them all.
 */
export function ChartInteraction({
  label,
  rows,
  way: mode = 'along',
  band,
  stride,
  onPick,
  className,
  children,
}: {
  label: string
  rows: number
  way?: PointingMode
  /** The width of a point, in percent; without width, a line is drawn through it. */
  band?: number
  /** In a grid: how many points away the next line is. */
  stride?: number
  onPick?: (pick: PointPick) => void
  className?: string
  children: ReactNode
}) {
  const { frame, shown, show, hide, follow } = useReadRow(mode)
  const link = useRef<HTMLAnchorElement>(null)
  const isFirstTouch = useRef(false)
  const isStill = useIsStill()

  const line = shown?.lines[shown.line]
  const href = line?.href ?? shown?.href
  const leads = Boolean(href || onPick)

  function drill(event: MouseEvent | KeyboardEvent) {
    if (!shown) return
    onPick?.({ point: shown.row, series: line?.seriesKey ?? '', href })
    link.current?.dispatchEvent(clickOf(event, drawnAt(frame.current, shown)))
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
      {rows > 0 && !isStill && (
        <KeyboardReader
          {...{ label, rows, stride, shown, leads }}
          onShow={show}
          onHide={hide}
          onDrill={drill}
        />
      )}
      {shown && mode === 'along' && <Crosshair shown={shown} band={band} />}
      {shown && <ChartTooltip frame={frame} shown={shown} leads={leads} />}
      {href && <PointLink ref={link} href={href} shown={shown} />}
    </div>
  )
}

/** The link of the point that is read; its words name it in a menu. */
function PointLink({
  ref,
  href,
  shown,
}: {
  ref: Ref<HTMLAnchorElement>
  href: string
  shown: ReadRow | undefined
}) {
  const line = shown?.lines[shown.line]
  const words = [line?.label, shown?.title].filter(Boolean).join(', ')
  return (
    <Anchor ref={ref} href={href} tabIndex={-1} aria-hidden data-words={words} className="hidden">
      {shown?.title}
    </Anchor>
  )
}

/** A click with the keys of a press, at the pointer or at the point that the keyboard reads. */
function clickOf(event: MouseEvent | KeyboardEvent, drawn: Pick<MouseEventInit, 'clientX' | 'clientY'>) {
  const { ctrlKey, metaKey, shiftKey } = event
  const { clientX, clientY } = 'clientX' in event ? event : drawn
  const keys = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }
  return new window.MouseEvent('click', { ...keys, clientX, clientY })
}

/** The place of a point on the screen. */
function drawnAt(frame: HTMLElement | null, { x, y, lines, line }: ReadRow) {
  const { left = 0, top = 0, width = 0, height = 0 } = frame?.getBoundingClientRect() ?? {}
  const down = lines[line]?.y ?? y ?? 50
  return { clientX: left + (width * x) / 100, clientY: top + (height * down) / 100 }
}

/** The marks of the point being read: a line or a band, and a dot on every series. */
function Crosshair({ shown, band = 0 }: { shown: ReadRow; band?: number }) {
  const isBand = band > 0.5
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0">
      <div
        className={clsx('absolute inset-y-0 -translate-x-1/2', isBand ? 'bg-hover' : 'w-px bg-line-strong')}
        style={{ left: `${shown.x}%`, width: isBand ? `${band}%` : undefined }}
      />
      {shown.lines.map((line, index) => (
        <Dot key={index} line={line} x={shown.x} isChosen={index === shown.line} />
      ))}
    </div>
  )
}

function Dot({
  line: { y, colour, isCompared },
  x,
  isChosen,
}: {
  line: PointValue
  x: number
  isChosen: boolean
}) {
  if (y === undefined) return null
  return (
    <span
      className={clsx(
        'absolute -translate-1/2 rounded-full border-2 border-surface',
        isChosen ? 'size-3' : 'size-2.5',
        isCompared && 'opacity-60',
      )}
      style={{ left: `${x}%`, top: `${y}%`, background: colour }}
    />
  )
}
