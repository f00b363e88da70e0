import { useId } from 'react'
import type { ChartColour } from '../chart'
import { colourValue, textureAt } from './series-style'

/**
 * A shape filled with a colour and its texture. The shape is in a hundred by a hundred and stretches; the texture does
 * not, because it is the whole box seen through the shape.
 */
export function TexturedShape({
  path,
  colour,
  texture = 0,
  opacity = 1,
}: {
  path: string
  colour: ChartColour
  /** The index among the series. */
  texture?: number
  opacity?: number
}) {
  const id = useId()
  const strokes = textureAt(texture)
  if (!path) return null
  return (
    <>
      <clipPath id={`${id}shape`} clipPathUnits="objectBoundingBox">
        <path d={path} transform="scale(0.01)" />
      </clipPath>
      <rect
        width="100%"
        height="100%"
        fill={colourValue(colour)}
        fillOpacity={opacity}
        clipPath={`url(#${id}shape)`}
      />
      {strokes && (
        <>
          <pattern id={`${id}strokes`} width="8" height="8" patternUnits="userSpaceOnUse">
            <path d={strokes} fill="none" className="stroke-surface" strokeWidth="1" strokeOpacity="0.45" />
          </pattern>
          <rect width="100%" height="100%" fill={`url(#${id}strokes)`} clipPath={`url(#${id}shape)`} />
        </>
      )}
    </>
  )
}
