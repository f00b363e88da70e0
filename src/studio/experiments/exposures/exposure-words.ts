import { valueName } from '#events/value-names'
import type { ExposureReport } from '#experiments/results/exposures'
import {
  type ExposureDimension,
  exposureDimensions,
  type SeveralVariantsCause,
  type UnitState,
} from '#insights/kinds/experiment-exposures/answer'

export type ShownDimension = Exclude<ExposureDimension, 'all'>

/** The dimensions that units can be grouped by, in the order of the tabs. */
export const shownDimensions = exposureDimensions.filter((one): one is ShownDimension => one !== 'all')

export const dimensionIn = (text: string | undefined): ShownDimension | undefined =>
  shownDimensions.find((one) => one === text)

/** The dimension that explains a mismatch is shown first. */
export const firstDimension = ({ cause }: Pick<ExposureReport, 'cause'>): ShownDimension =>
  (cause?.by === 'group' ? dimensionIn(cause.dimension) : undefined) ?? 'library'

/** Why units do not count. */
export const stateWords: Record<Exclude<UnitState, 'counted'>, string> = {
  several: 'Saw several variants',
  entry: 'Do not meet the entry filter',
  robot: 'Robots',
  preview: 'Previews and forced variants',
  other: 'Got no variant: off, or held out',
  'not-exposed': 'Served a variant, not exposed',
}

/** Why a unit saw several variants. */
export const severalWords: Record<SeveralVariantsCause, string> = {
  override: 'A variant was forced',
  merge: 'Two ids were merged: a log-in after the exposure',
  rules: 'The flag’s rules changed in between',
  device: 'Several devices',
  unknown: 'Unknown cause',
}

/** The name of a group of units. */
export function groupLabel(dimension: ExposureDimension, value: string): string {
  if (value === '') return 'Unknown'
  if (dimension === 'phase') return `Phase ${Number(value) + 1}`
  if (dimension === 'ids') return value === 'one' ? 'One id' : 'Several ids'
  return valueName(dimension, value)
}
