import { eventLabel } from '#events/taxonomy'
import type { DimensionName } from '#insights/text/dimension-words'

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })
const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' })

/** What people call the value of a dimension. */
export function valueLabel(dimension: DimensionName, value: string): string {
  if (value === '') return unknown[dimension] ?? '(not known)'
  if (dimension === 'country') return /^[A-Z]{2}$/.test(value) ? (regions.of(value) ?? value) : value
  if (dimension === 'language') return languageName(value)
  return dimension === 'event' ? eventLabel(value) : value
}

const unknown: Partial<Record<DimensionName, string>> = {
  source: 'Direct',
  referrer: 'Direct, or not told',
  utm_campaign: '(no campaign)',
  utm_source: '(none)',
  utm_medium: '(none)',
  utm_content: '(none)',
  utm_term: '(none)',
}

/** Languages come from clients and may be invalid. */
function languageName(value: string): string {
  try {
    return languages.of(value) ?? value
  } catch {
    return value
  }
}

/** Two letters become the two signs that fonts draw as a flag. */
export const flagOf = (country: string): string | undefined =>
  /^[A-Z]{2}$/.test(country)
    ? String.fromCodePoint(...Array.from(country, (letter) => letter.charCodeAt(0) + 0x1f1a5))
    : undefined
