'use client'

import { GripVertical } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'

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
  const [dragged, setDragged] = useState<number>()
  const move = (from: number, to: number) => onChange(moveRow(rows, from, to))

  return (
    <ol className="flex flex-col gap-2">
      {rows.map((row, place) => (
        // what can be dropped on it can be done with the arrow keys on its handle
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
        <li
          key={keyOf(row, place)}
          className="flex items-start gap-1 rounded-md border border-line bg-canvas p-2 data-dragged:opacity-50"
          data-dragged={dragged === place || undefined}
          onDragOver={(event) => {
            if (dragged === undefined) return
            event.preventDefault()
            if (dragged === place) return
            move(dragged, place)
            setDragged(place)
          }}
        >
          <span draggable onDragStart={() => setDragged(place)} onDragEnd={() => setDragged(undefined)}>
            <IconButton
              label={`Move ${labelOf(place)}: arrow keys, or drag`}
              icon={<Icon of={GripVertical} />}
              size="sm"
              onKeyDown={(event) => moveOnArrow(event, place, rows.length, move)}
            />
          </span>
          <div className="min-w-0 grow">{children(row, place)}</div>
        </li>
      ))}
    </ol>
  )
}

export function moveRow<Row>(rows: readonly Row[], from: number, to: number): Row[] {
  const others = rows.toSpliced(from, 1)
  return others.toSpliced(to, 0, ...rows.slice(from, from + 1))
}

function moveOnArrow(
  event: KeyboardEvent,
  place: number,
  count: number,
  move: (from: number, to: number) => void,
) {
  const to = event.key === 'ArrowUp' ? place - 1 : event.key === 'ArrowDown' ? place + 1 : place
  if (to === place || to < 0 || to >= count) return
  event.preventDefault()
  move(place, to)
}
