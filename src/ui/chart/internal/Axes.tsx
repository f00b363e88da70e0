import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { ChartSize, Guide } from '../chart'
import { shortAmount, type Unit } from '#ui/format'
import { round, type AlongAxis, type UpAxis } from './axis'
import { labelsThatFit } from './ticks'

/**
 * Amounts at the left, points below, the drawing between. Words are HTML over a drawing that stretches, so they keep
 * their size at every width, without script.
 */
export function Axes({
  axis,
  along,
  labels,
  unit,
  size = 'md',
  isSigned = true,
  beside,
  children,
}: {
  axis: UpAxis
  along: AlongAxis
  labels: readonly string[]
  unit?: Unit
  size?: ChartSize
  /** Amounts below zero are written without their sign: they are drawn downwards, not negative. */
  isSigned?: boolean
  /** Between the drawing and its labels. */
  beside?: ReactNode
  children: ReactNode
}) {
  return (
    <div
      className={clsx(
        'chart-axes grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 pt-2',
        along.band === 0 && 'pr-2',
      )}
    >
      <Amounts axis={axis} unit={unit} isSigned={isSigned} />
      <div className="chart-plot relative" data-size={size}>
        <Grid axis={axis} />
        {children}
      </div>
      <div aria-hidden className="relative col-start-2 h-7">
        {beside}
        <Points labels={labels} along={along} />
      </div>
    </div>
  )
}

/** All in one cell, so that the column is as wide as its widest label. */
function Amounts({ axis, unit, isSigned }: { axis: UpAxis; unit?: Unit; isSigned: boolean }) {
  return (
    <div aria-hidden className="grid max-w-24 text-right text-2xs text-faint tabular-nums">
      {axis.at.map((amount) => (
        <span
          key={amount}
          className="relative h-4 -translate-y-1/2 self-start whitespace-nowrap [grid-area:1/1]"
          style={{ top: `${axis.up(amount)}%` }}
        >
          {shortAmount(isSigned ? amount : Math.abs(amount), unit)}
        </span>
      ))}
    </div>
  )
}

function Grid({ axis }: { axis: UpAxis }) {
  return (
    <svg aria-hidden className="absolute inset-0 size-full overflow-visible">
      {axis.at.map((amount) => (
        <line
          key={amount}
          x1="0"
          x2="100%"
          y1={`${axis.up(amount)}%`}
          y2={`${axis.up(amount)}%`}
          className={amount === 0 ? 'stroke-line-strong' : 'stroke-chart-grid'}
        />
      ))}
    </svg>
  )
}

function Points({ labels, along }: { labels: readonly string[]; along: AlongAxis }) {
  return labelsThatFit(labels).map(({ index, label, widthClasses }) => (
    <span
      key={index}
      data-rooms={widthClasses.join(' ')}
      className="chart-tick absolute top-1.5 max-w-32 truncate text-2xs text-faint tabular-nums"
      style={{
        left: `${along.at(index)}%`,
        translate: `${-shiftAt(along.at(index))}% 0`,
        maxWidth: labels.length < 6 ? `${round(96 / labels.length)}%` : undefined,
      }}
    >
      <bdi>{label}</bdi>
    </span>
  ))
}

/** In the middle of its point, except at the edges of the chart. */
function shiftAt(x: number): number {
  if (x < 3) return Math.min(50, x * 12)
  return x > 97 ? Math.max(50, 100 - (100 - x) * 12) : 50
}

/** Goals and thresholds: a line across, and its name on it. */
export function Guides({ guides, axis, unit }: { guides: readonly Guide[]; axis: UpAxis; unit?: Unit }) {
  return guides.map(({ value, label }) => (
    <div
      key={`${value} ${label}`}
      className="pointer-events-none absolute inset-x-0 border-t border-dashed border-muted"
      style={{ top: `${axis.up(value)}%` }}
    >
      <span
        className={clsx(
          'absolute right-0 max-w-[70%] truncate rounded-xs bg-surface/85 px-1 text-2xs text-muted',
          axis.up(value) < 12 ? 'top-0.5' : 'bottom-0.5',
        )}
      >
        <bdi>{label}</bdi>: {shortAmount(value, unit)}
      </span>
    </div>
  ))
}
