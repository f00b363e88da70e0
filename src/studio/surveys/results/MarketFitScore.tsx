import type { Estimate } from '#surveys/results/intervals'
import { marketFitGoal } from '#surveys/results/market-fit'
import { percent } from '#ui/format'
import { ScoreLine } from './RatingResult'

/** The share of people who would be very disappointed, with its interval and the mark that it is held against. */
export function MarketFitScore({ estimate }: { estimate: Estimate }) {
  const { value, low, high } = estimate
  return (
    <div className="flex flex-col gap-2">
      <ScoreLine label="PMF" estimate={estimate} unit="percent" />
      <div aria-hidden className="relative h-2 max-w-md rounded-full bg-sunken">
        <div className="absolute inset-y-0 left-0 rounded-full bg-accent" style={{ width: share(value) }} />
        <div
          className="absolute inset-y-0 rounded-full border border-line-strong"
          style={{ left: share(low), width: share(high - low) }}
        />
        <div className="absolute -inset-y-1 w-0.5 bg-ink" style={{ left: share(marketFitGoal) }} />
      </div>
      <p className="text-xs text-muted">{marketFitText(estimate)}</p>
    </div>
  )
}

const share = (ratio: number): string => `${100 * ratio}%`

/** The score is said to be above or below the mark only where its whole interval is. */
export function marketFitText({ low, high }: Estimate): string {
  const mark = percent(marketFitGoal, 0)
  if (low >= marketFitGoal) return `“Very disappointed” is above the mark of ${mark}.`
  if (high < marketFitGoal) return `“Very disappointed” is below the mark of ${mark}.`
  return `The interval includes the mark of ${mark}: more answers would tell on which side it is.`
}
