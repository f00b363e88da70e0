import type { ExperimentReport } from '#experiments/results/report'
import { Stat, Stats } from '#ui/chart/Stat'
import { number, percent } from '#ui/format'
import type { VariantColours } from '#studio/flags/variant-colour'

/** The units of each variant beside the configured share. */
export function Units({
  report: { variants, phases },
  colourOf,
  hrefOf,
}: {
  report: ExperimentReport
  colourOf: VariantColours
  /** The address of the list of a variant's persons. */
  hrefOf?: (variant: string) => string
}) {
  const [only, ...others] = phases
  const expected = variants.map((_, i) => (others.length === 0 ? only?.ratio?.arms[i]?.expected : undefined))
  return (
    <Stats>
      {variants.map(({ key, units, share }, i) => (
        <Stat
          key={key}
          label={i === 0 && key !== 'control' ? `${key} (control)` : key}
          mark={colourOf(key)}
          value={number(units)}
          {...(hrefOf && units > 0 && { href: hrefOf(key) })}
          hint={`${percent(share, 1)} of the exposed${
            expected[i] === undefined ? '' : `, ${percent(expected[i], 1)} expected`
          }`}
        />
      ))}
    </Stats>
  )
}
