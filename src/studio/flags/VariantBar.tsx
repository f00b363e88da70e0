import type { ChartColour } from '#ui/chart/chart'
import { percent } from '#ui/format'
import { VisuallyHidden } from '#ui/VisuallyHidden'
import { variantColour } from './variant-colour'

export interface VariantShare {
  label: string
  value: number
  colour?: ChartColour
}

/** Written out, so that Tailwind finds them. */
const fills: Record<ChartColour, string> = {
  1: 'bg-chart-1',
  2: 'bg-chart-2',
  3: 'bg-chart-3',
  4: 'bg-chart-4',
  5: 'bg-chart-5',
  6: 'bg-chart-6',
  7: 'bg-chart-7',
  8: 'bg-chart-8',
  rest: 'bg-chart-rest',
}

/** Draws shares as one thin line. Titles and the label describe the parts. */
export function VariantBar({ label, shares }: { label: string; shares: readonly VariantShare[] }) {
  const whole = shares.reduce((sum, { value }) => sum + value, 0)
  const words = shares.map((share) => `${share.label} ${percent(whole === 0 ? 0 : share.value / whole)}`)
  return (
    <span title={words.join(', ')} className="flex h-2 w-full gap-px overflow-hidden rounded-full bg-sunken">
      <VisuallyHidden>{`${label}: ${words.join(', ')}`}</VisuallyHidden>
      {whole > 0 &&
        shares.map((share, index) => (
          <span
            aria-hidden
            key={share.label}
            className={fills[share.colour ?? variantColour(index)]}
            style={{ width: `${(share.value / whole) * 100}%` }}
          />
        ))}
    </span>
  )
}
