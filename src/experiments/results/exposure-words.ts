import { valueName } from '#events/value-names'
import type { ExposureDimension, UnitState } from '#insights/kinds/experiment-exposures/answer'
import type { DifferenceReason, MismatchCause } from './exposures'
import { pInWords } from './p-value'

/** The labels of dimensions. */
export const dimensionLabels: Readonly<Record<ExposureDimension, string>> = {
  all: 'All',
  library: 'Library',
  browser: 'Browser',
  os: 'Operating system',
  device: 'Device type',
  country: 'Country',
  ids: 'Ids of a unit',
  phase: 'Phase',
  day: 'Day of exposure',
}

const stateWords: Readonly<Record<Exclude<UnitState, 'counted'>, string>> = {
  several: 'were exposed to several variants',
  entry: 'do not meet the entry filter',
  robot: 'are robots',
  preview: 'are previews or forced variants',
  other: 'got no variant (the flag was off for them, or they are held out)',
  'not-exposed': 'were served a variant without the event that exposes',
}

const differenceWords: Readonly<Record<Exclude<DifferenceReason, UnitState>, string>> = {
  'before-exposure': 'had the metric’s event only before their exposure',
  'outside-window': 'had the metric’s event only outside of its window',
}

const numberInWords = (units: number): string => units.toLocaleString('en')

/** Why an insight over the same people counts `units` more. */
export function differencesInWords(reason: DifferenceReason, units: number): string {
  const number = numberInWords(units)
  if (reason === 'before-exposure' || reason === 'outside-window')
    return `${number} ${differenceWords[reason]}: an insight counts them as converted, the experiment does not.`
  return `${number} ${stateWords[reason]}: an insight counts them, the experiment does not.`
}

export function causeInWords(cause: MismatchCause): string {
  if (cause.by === 'unknown')
    return 'No library, browser, device, country, phase or day explains the mismatch alone. Look for code that reads the flag only in one variant, or that redirects before it is reported.'
  const [number, p] = [numberInWords(cause.units), pInWords(cause.p)]
  if (cause.by === 'left-out')
    return `The likeliest cause: ${number} units ${stateWords[cause.state]}, and they are left out of the variants unevenly. With them the split would be the configured one (${p}).`
  return `The likeliest cause: ${dimensionLabels[cause.dimension]} “${valueInWords(cause)}”. Without these ${number} units the split is the configured one (${p}).`
}

function valueInWords({ dimension, value }: { dimension: ExposureDimension; value: string }): string {
  if (value === '') return 'Unknown'
  return dimension === 'phase' ? String(Number(value) + 1) : valueName(dimension, value)
}
