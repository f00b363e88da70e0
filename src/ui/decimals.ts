import { currencyStyle, locale, signDisplay, signed, type Unit } from './format'

/** A unit that is written with decimals: durations and bytes are written in steps of their own. */
export type DecimalUnit = Extract<Unit, 'number' | 'percent' | object>

/** With exactly so many decimals, as numbers that belong together have: 7.00%, €3.20, 12.0. */
export function withDecimals(value: number, decimals: number, unit: DecimalUnit = 'number'): string {
  if (!Number.isFinite(value)) return '–'
  const fixed = { minimumFractionDigits: decimals, maximumFractionDigits: decimals, signDisplay } as const
  if (typeof unit === 'object' && 'currency' in unit)
    return signed(new Intl.NumberFormat(locale, { ...currencyStyle(unit.currency), ...fixed }).format(value))
  const format = new Intl.NumberFormat(locale, fixed)
  if (unit === 'percent') return `${signed(format.format(100 * value))}%`
  const text = signed(format.format(value))
  return unit === 'number' ? text : `${text} ${unit.suffix}`
}

/** The decimals in which a currency is paid: 2 for EUR, 0 for JPY. */
export const currencyDecimals = (currency: string): number =>
  new Intl.NumberFormat(locale, currencyStyle(currency)).resolvedOptions().maximumFractionDigits ?? 2
