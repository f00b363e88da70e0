import type { KeyboardEvent } from 'react'
import { rowText, stepFor, type ReadRow } from './table-reader'

/**
 * A chart under the keyboard: a range from the first point to the last, so that a screen reader says each point as it
 * is reached, and a swipe on a phone walks them too. It is not seen; its ring is.
 */
export function KeyboardReader({
  label,
  rows,
  stride,
  shown,
  leads,
  onShow,
  onHide,
  onDrill,
}: {
  label: string
  rows: number
  stride?: number
  shown?: ReadRow
  leads: boolean
  onShow: (row: number, line?: number) => void
  onHide: () => void
  onDrill: (event: KeyboardEvent) => void
}) {
  function walk(event: KeyboardEvent) {
    if (event.key === 'Enter' || event.key === ' ') onDrill(event)
    else if (event.key === 'Escape') onHide()
    else {
      const step = stepFor(event, stride)
      if (!step) return
      onShow((shown?.row ?? (step.rows > 0 ? -1 : 0)) + step.rows, (shown?.line ?? 0) + step.lines)
    }
    event.preventDefault()
  }

  return (
    <>
      <input
        type="range"
        min={1}
        max={rows}
        value={(shown?.row ?? 0) + 1}
        aria-label={`${label}, point by point`}
        aria-valuetext={shown ? rowText(shown, leads) : 'Arrow keys read it'}
        onChange={(event) => onShow(event.currentTarget.valueAsNumber - 1, shown?.line)}
        onKeyDown={walk}
        onBlur={onHide}
        className="peer pointer-events-none absolute inset-0 size-full opacity-0"
      />
      <span
        aria-hidden
        className="pointer-events-none absolute -inset-1 rounded-sm outline-transparent peer-focus-visible:outline-2 peer-focus-visible:outline-focus"
      />
    </>
  )
}
