import { clsx } from 'clsx'
import type { PointValue, ReadRow } from './table-reader'

/** The marks of the point being read: a line or a band, and a dot on every series. */
export function Crosshair({ shown, band = 0 }: { shown: ReadRow; band?: number }) {
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
