import type { EffectScale } from '#statistics/effect'
import { currencyDecimals, type DecimalUnit, withDecimals } from '#ui/decimals'
import { number, percent } from '#ui/format'
import type { EffectEstimate, MetricUnit } from './report'

type EstimateNumbers = Pick<EffectEstimate, 'value' | 'low' | 'high'>

/** An estimate and the ends of its interval, each with its sign and all with the same number of decimals. */
type EstimateWords = Record<keyof EstimateNumbers, string>

/** Writes as many decimals as the width of the interval leaves a meaning: +3.2%, +0.4%, +6.1%. */
export function estimateWords(
  { value, low, high }: EstimateNumbers,
  unit: MetricUnit,
  scale: EffectScale,
): EstimateWords {
  const writing = writingOf(unit, scale)
  const written = (effect: number) => effect * writing.factor
  const decimals = decimalsFor({ value: written(value), low: written(low), high: written(high) }, writing)
  const write = (effect: number): string =>
    Number.isFinite(effect)
      ? signOf(effect) + withDecimals(Math.abs(written(effect)), decimals, writing.unit) + writing.sign
      : '–'
  return { value: write(value), low: write(low), high: write(high) }
}

/** +3.2% (+0.4% to +6.1%); with the level of the interval, +3.2% (95% interval +0.4% to +6.1%). */
export function estimateText(
  estimate: EstimateNumbers,
  unit: MetricUnit,
  { scale, level }: { scale: EffectScale; level?: number },
): string {
  const { value, low, high } = estimateWords(estimate, unit, scale)
  const name = level === undefined ? '' : `${percent(level, 1)} interval `
  return `${value} (${name}${low} to ${high})`
}

/** Writes the value of a variant: 25.00%, €3.20, 12.35; with its units, 10.00% of 200. */
export function valueWords(value: number | null, unit: MetricUnit, units?: number): string {
  const words = value === null ? '–' : valueText(value, unit)
  return units === undefined ? words : `${words} of ${number(units)}`
}

function valueText(value: number, { shape, currency }: MetricUnit): string {
  if (shape === 'share') return withDecimals(value, 2, 'percent')
  if (currency === undefined) return withDecimals(value, decimalsOf(value, 4))
  return withDecimals(value, Math.max(currencyDecimals(currency), decimalsOf(value, 3)), { currency })
}

/** The decimals of a number that has so many significant digits; its whole part is never rounded. */
const decimalsOf = (value: number, digits: number): number =>
  value === 0 || !Number.isFinite(value) ? 0 : Math.min(10, Math.max(0, digits - 1 - exponentOf(value)))

const exponentOf = (value: number): number => Math.floor(Math.log10(Math.abs(value)))

/** Writes a chance with one decimal, and never as certain: 99.0%, >99.9%. */
export function chanceText(chance: number): string {
  if (chance > 0.999) return '>99.9%'
  return chance < 0.001 ? '<0.1%' : withDecimals(chance, 1, 'percent')
}

/** The same in a sentence: 99.0%, over 99.9%. */
export const chanceInWords = (chance: number): string =>
  chanceText(chance).replace('>', 'over ').replace('<', 'under ')

interface EffectWriting {
  /** From an effect to the number that is written. */
  factor: number
  unit: DecimalUnit
  /** After the number. */
  sign: string
  /** The most decimals that are written. */
  most: number
  /** The fewest decimals, where there are any. */
  least: number
}

function writingOf({ shape, currency }: MetricUnit, scale: EffectScale): EffectWriting {
  const plain = { factor: 1, unit: 'number', sign: '', most: 10, least: 1 } as const
  if (scale === 'relative') return { ...plain, factor: 100, sign: '%', most: 2 }
  if (shape === 'share') return { ...plain, factor: 100, sign: ' points', most: 4 }
  return currency === undefined
    ? plain
    : { ...plain, unit: { currency }, most: 4, least: currencyDecimals(currency) }
}

const signOf = (effect: number): string => (effect > 0 ? '+' : effect < 0 ? '−' : '')

/**
 * The decimals that half the width of the interval calls for. More are written where an end would otherwise read as 0,
 * because its side of 0 decides.
 */
function decimalsFor(
  { value, low, high }: EstimateNumbers,
  { most, least }: Pick<EffectWriting, 'most' | 'least'>,
): number {
  const half = [(high - low) / 2, high - value, value - low, Math.abs(value)].find(
    (one) => Number.isFinite(one) && one > 0,
  )
  const isRead = (decimals: number) =>
    [low, high].every((end) => end === 0 || Math.abs(end) >= 0.5 * 10 ** -decimals)
  let decimals = half === undefined ? 0 : Math.min(most, Math.max(0, decimalsOfDoubt(half)))
  while (decimals < most && !isRead(decimals)) decimals += 1
  return decimals === 0 ? 0 : Math.max(decimals, least)
}

/**
 * Two digits of a doubt whose first three are 100 to 354 matter, and one of 355 to 949; 950 to 999 are rounded to 1000.
 * Particle Data Group, Review of Particle Physics, Introduction, section 5.3, "Rounding".
 */
function decimalsOfDoubt(doubt: number): number {
  const [digits = '', exponent = '0'] = doubt.toExponential(2).split('e')
  return Number(digits) < 3.55 ? 1 - Number(exponent) : -Number(exponent)
}
