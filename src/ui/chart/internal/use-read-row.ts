import { useRef, useState, type PointerEvent } from 'react'
import { countRows, rowUnder, nearestRow, nearestSeries, readRow, type ReadRow } from './table-reader'

/** By the nearest point along an axis; or by what is under the pointer, marked `data-row`, which lights up what is `data-lit-by` it. */
export type PointingMode = 'along' | 'marks'

/** The point of a chart that is being read, and the functions that choose it. */
export function useReadRow(mode: PointingMode) {
  const frame = useRef<HTMLDivElement>(null)
  const marked = useRef<Element[]>([])
  const [shown, setShown] = useState<ReadRow>()

  function mark(row?: number) {
    for (const one of marked.current) one.removeAttribute('data-read')
    marked.current = [
      ...(frame.current?.querySelectorAll(`[data-row='${row}'], [data-lit-by~='${row}']`) ?? []),
    ]
    for (const one of marked.current) one.setAttribute('data-read', '')
  }

  function hide() {
    mark()
    setShown(undefined)
  }

  function show(row: number, line = 0) {
    if (!frame.current) return
    const read = readRow(frame.current, within(row, countRows(frame.current)))
    if (!read) return
    mark(read.row)
    setShown({ ...read, line: within(line, read.lines.length) })
  }

  function follow({ clientX, clientY, target }: PointerEvent) {
    if (!frame.current) return
    const row = mode === 'along' ? nearestRow(frame.current, clientX) : rowUnder(target)
    if (row === undefined) hide()
    else show(row, nearestSeries(frame.current, row, clientY))
  }

  return { frame, shown, show, hide, follow }
}

const within = (index: number, count: number): number => Math.min(Math.max(index, 0), Math.max(count - 1, 0))
