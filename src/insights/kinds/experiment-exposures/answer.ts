/** The answer of the kind `experiment-exposures`: what became of every unit that the flag was reported for. */
export interface ExperimentExposuresAnswer {
  cells: ExposureCell[]
  several: SeveralVariants[]
  /** Units that count and had the metric's event, but only before their exposure or outside of the metric's window. */
  onlyBefore: number
  onlyOutside: number
}

/** The dimensions by which units are grouped. `all` has one value, which is empty. */
export const exposureDimensions = [
  'all',
  'library',
  'browser',
  'os',
  'device',
  'country',
  'ids',
  'phase',
  'day',
] as const

export type ExposureDimension = (typeof exposureDimensions)[number]

/**
 * The state of a unit: it counts, or it saw several variants, did not meet the entry filter, was a robot, a preview,
 * got no variant (off or held out), or was served a variant without the event that exposes.
 */
export const unitStates = ['counted', 'several', 'entry', 'robot', 'preview', 'other', 'not-exposed'] as const

export type UnitState = (typeof unitStates)[number]

/** Why a unit saw several variants, as far as its events tell. */
export const severalVariantsCauses = ['override', 'merge', 'rules', 'device', 'unknown'] as const

export type SeveralVariantsCause = (typeof severalVariantsCauses)[number]

/** The units that saw the same variants, and why. */
export interface SeveralVariants {
  seen: string[]
  cause: SeveralVariantsCause
  units: number
}

/** The units of one value of a dimension with the same variant, phase and state. */
export interface ExposureCell {
  dimension: ExposureDimension
  value: string
  variant: string
  phase: number
  state: UnitState
  units: number
  /** Units with an event that code read the flag, and with an event that a browser displayed the variant. */
  served: number
  viewed: number
  /** Units with the metric's event in its window. */
  converted: number
}
