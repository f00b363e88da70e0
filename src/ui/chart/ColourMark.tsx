import type { ChartColour } from './chart'
import { colourValue } from './internal/series-style'

/** The colour that charts have for what is named beside it. */
export const ColourMark = ({ colour }: { colour: ChartColour }) => (
  <svg
    aria-hidden
    width="8"
    height="8"
    viewBox="0 0 8 8"
    className="colour-mark inline-block shrink-0"
    style={{ color: colourValue(colour) }}
  >
    <rect width="8" height="8" rx="2" fill="currentColor" />
  </svg>
)
