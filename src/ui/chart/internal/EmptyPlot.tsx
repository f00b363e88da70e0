import type { ChartSize } from '../chart'

/** A chart without points. The caller gives the reason in `empty` of the ChartFrame. */
export function EmptyPlot({ size = 'md' }: { size?: ChartSize }) {
  return (
    <div className="chart-plot grid place-items-center rounded-md bg-sunken text-muted" data-size={size}>
      No data for this selection.
    </div>
  )
}
