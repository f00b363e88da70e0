'use client'

import { GripVertical } from 'lucide-react'
import { type DragEvent, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { VisuallyHidden } from '#ui/VisuallyHidden'

interface Reordering {
  /** For the element of a row. */
  rowProps: (place: number) => {
    onDragOver: (event: DragEvent) => void
    'data-dragged': true | undefined
  }
  handleFor: (place: number, label: string) => ReactNode
  /** Says where a row was moved to; rendered once beside the list. */
  announcement: ReactNode
}

/** Moves rows by their handles: with a drag, or with the arrow keys. The handle of a moved row keeps the focus. */
export function useReordering<Row>(rows: readonly Row[], onChange: (rows: Row[]) => void): Reordering {
  const [dragged, setDragged] = useState<number>()
  const [announced, setAnnounced] = useState('')
  const handles = useRef(new Map<number, HTMLElement>())
  const focusAt = useRef<number>(undefined)
  const move = (from: number, to: number) => onChange(moveRow(rows, from, to))

  // React may move the element with the focus in the document, which takes the focus from it
  useLayoutEffect(() => {
    if (focusAt.current === undefined) return
    handles.current.get(focusAt.current)?.querySelector('button')?.focus()
    focusAt.current = undefined
  })

  function moveByKey(event: KeyboardEvent, place: number, label: string) {
    const to = placeAfter(event.key, place, rows.length)
    if (to === undefined) return
    event.preventDefault()
    focusAt.current = to
    setAnnounced(`${label} moved to ${to + 1} of ${rows.length}`)
    move(place, to)
  }

  return {
    rowProps: (place) => ({
      'data-dragged': dragged === place || undefined,
      onDragOver: (event) => {
        if (dragged === undefined) return
        event.preventDefault()
        if (dragged === place) return
        move(dragged, place)
        setDragged(place)
      },
    }),
    handleFor: (place, label) => (
      <span
        ref={(handle) => {
          if (handle) handles.current.set(place, handle)
          return () => void handles.current.delete(place)
        }}
        draggable
        onDragStart={() => setDragged(place)}
        onDragEnd={() => setDragged(undefined)}
      >
        <IconButton
          label={`Move ${label}: arrow keys, or drag`}
          icon={<Icon of={GripVertical} />}
          size="sm"
          onKeyDown={(event) => moveByKey(event, place, label)}
        />
      </span>
    ),
    announcement: (
      <VisuallyHidden>
        <span aria-live="polite">{announced}</span>
      </VisuallyHidden>
    ),
  }
}

/** A list whose order matters: rows are dragged by their handles, or moved with the arrow keys. */
export function Reorderable<Row>({
  rows,
  onChange,
  keyOf,
  labelOf,
  children,
}: {
  rows: readonly Row[]
  onChange: (rows: Row[]) => void
  keyOf: (row: Row, place: number) => string
  labelOf: (place: number) => string
  children: (row: Row, place: number) => ReactNode
}) {
  const { rowProps, handleFor, announcement } = useReordering(rows, onChange)

  return (
    <>
      <ol className="flex flex-col gap-2">
        {rows.map((row, place) => (
          // the arrow keys on its handle do the same as dropping
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <li
            key={keyOf(row, place)}
            className="flex items-start gap-1 rounded-md border border-line bg-canvas p-2 data-dragged:opacity-50"
            {...rowProps(place)}
          >
            {handleFor(place, labelOf(place))}
            <div className="min-w-0 grow">{children(row, place)}</div>
          </li>
        ))}
      </ol>
      {announcement}
    </>
  )
}

function moveRow<Row>(rows: readonly Row[], from: number, to: number): Row[] {
  const others = rows.toSpliced(from, 1)
  return others.toSpliced(to, 0, ...rows.slice(from, from + 1))
}

/** The index that a key moves a row to; undefined for other keys and at the ends of the list. */
function placeAfter(key: string, place: number, count: number): number | undefined {
  const to = key === 'ArrowUp' ? place - 1 : key === 'ArrowDown' ? place + 1 : undefined
  return to === undefined || to < 0 || to >= count ? undefined : to
}
