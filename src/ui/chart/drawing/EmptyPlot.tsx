import { clsx } from 'clsx'
import type { ChartSize } from '../chart'

const heights: Record<ChartSize, string> = { sm: 'h-40', md: 'h-60', lg: 'h-80' }

/** A chart without points. The caller gives the reason in `empty` of the ChartFrame. */
export function EmptyPlot({ size = 'md' }: { size?: ChartSize }) {
  return (
    <div className={clsx('grid place-items-center rounded-md bg-sunken text-muted', heights[size])}>
      Nothing to show for this choice.
    </div>
  )
}
