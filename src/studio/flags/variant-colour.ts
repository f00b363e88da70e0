import type { Flag } from '#flags/flag'
import { type ChartColour, seriesColours } from '#ui/chart/chart'

/** The colour of a variant on every page, by its place in the flag. */
export const variantColour = (place: number): ChartColour => seriesColours[place] ?? 'rest'

export type VariantColours = (variant: string) => ChartColour

/** Colours the variants of a flag by their keys, in the order of the flag; a value that is no variant is grey. */
export const variantColours =
  (variants: readonly string[]): VariantColours =>
  (variant) =>
    variantColour(variants.indexOf(variant))

/** Colours what a flag serves: a flag without variants serves `true` alone, and off is grey. */
export const servedColours = ({ variants }: Pick<Flag, 'variants'>): VariantColours =>
  variantColours(variants.length === 0 ? ['true'] : variants.map(({ key }) => key))
