import type { ChartColour } from '../chart'
import { colourValue, shapeAt, textureAt } from './series-style'

/** A small sample of how a series is drawn: its colour, and what tells it apart without. */
export function Swatch({
  colour,
  place: index,
  isDashed,
  mark = 'line',
}: {
  colour: ChartColour
  /** Of the series; decides shape and texture. */
  place?: number
  isDashed?: boolean
  mark?: 'line' | 'block'
}) {
  return (
    <svg
      aria-hidden
      width="16"
      height="10"
      viewBox="-8 -5 16 10"
      className="shrink-0"
      style={{ color: colourValue(colour) }}
    >
      {isDashed ? (
        <path d="M-8,0h16" stroke="currentColor" strokeWidth="2" strokeDasharray="4 2" opacity="0.7" />
      ) : mark === 'block' ? (
        <Block place={index ?? 0} />
      ) : (
        <Line place={index} />
      )}
    </svg>
  )
}

function Line({ place: index }: { place?: number }) {
  return (
    <>
      <path d="M-8,0h16" stroke="currentColor" strokeWidth="2" />
      {index !== undefined && <path d={shapeAt(index)} fill="currentColor" />}
    </>
  )
}

function Block({ place: index }: { place: number }) {
  return (
    <>
      <path d="M-5,-5h10v10h-10Z" fill="currentColor" />
      <svg x="-5" y="-5" width="10" height="10">
        <path
          d={textureAt(index)}
          className="stroke-surface"
          strokeWidth="1"
          strokeOpacity="0.55"
          fill="none"
        />
      </svg>
    </>
  )
}
