import type { Day, DayRange } from './dates'

/**
 * Numbers and times as people read them. English throughout, and assembled from parts where engines differ in spaces
 * or abbreviations, so that the server's markup and the browser's are the same.
 */
type TimeInput = Date | number | string

export const locale = 'en-US'
const minus = '−'

/** A number that is rounded to zero has no sign. */
export const signDisplay = 'negative'

const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 2, signDisplay })
const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 })

/** 12,345.6 */
export const number = (value: number): string => signed(plain.format(value))

/** `1 visitor`, `2,000 visitors`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${pluralWord(count, one, many)}`

/** The word alone, beside a number that is written otherwise. */
export const pluralWord = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many)

/** 12.3k, 4.56M: three digits that matter. Whole below a thousand unless it is a fraction. */
export const compact = (value: number): string => signed(short.format(value).replace('K', 'k'))

/** 0.1234 is 12.3%; from ten up one decimal is noise unless asked for. */
export function percent(ratio: number, digits = Math.abs(ratio) < 0.0995 ? 1 : 0): string {
  if (!Number.isFinite(ratio)) return '–'
  return `${signed(new Intl.NumberFormat(locale, { maximumFractionDigits: digits, signDisplay }).format(ratio * 100))}%`
}

/** The text of `change` for no change, and for one that is too small to write. */
export const unchanged = '0%'

/** A change between two numbers: +12%, −3.4%. From nothing there is no percentage. */
export function change(from: number, to: number): string {
  if (from === 0) return to === 0 ? unchanged : 'new'
  const ratio = (to - from) / Math.abs(from)
  const text = percent(ratio)
  return ratio > 0 && text !== unchanged ? `+${text}` : text
}

export const money = (sum: number, currency: string): string =>
  signed(new Intl.NumberFormat(locale, currencyStyle(currency)).format(sum))

export const signed = (text: string) => text.replace('-', minus)

/** The unit of a number. Ratios are from 0 to 1; a suffix is written after the number: `days`. */
export type Unit =
  | 'number'
  | 'percent'
  | 'seconds'
  | 'milliseconds'
  | 'bytes'
  | { currency: string }
  | { suffix: string }

/** In full, as a table or a reading says it: 12,345.6, 12.34%, 1m 23s, €1,234.50. Nothing known is a dash. */
export function amount(value: number | null | undefined, unit: Unit = 'number'): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–'
  return typeof unit === 'string' ? inFull[unit](value) : withWord(value, unit, number)
}

/** As short as it can be, for an axis or a tile: 12.3k, 12%, 1m 23s, €1.23M. */
export function shortAmount(value: number | null | undefined, unit: Unit = 'number'): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–'
  return typeof unit === 'string' ? inShort[unit](value) : withWord(value, unit, compact)
}

export const currencyStyle = (currency: string) =>
  ({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' }) as const

type UnitWriting = Record<Extract<Unit, string>, (value: number) => string>

const tiny = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 })

/** Numbers that two decimals would round to zero keep three significant digits. */
const precise = (value: number): string =>
  value !== 0 && Math.abs(value) < 0.1 ? signed(tiny.format(value)) : number(value)

const inFull: UnitWriting = {
  number: precise,
  percent: (value) => percent(value, 2),
  seconds: (value) => formatSeconds(value * 1000),
  milliseconds: (value) => formatSeconds(value),
  bytes: (value) => (value < 0 ? minus + bytes(-value) : bytes(value)),
}

const inShort: UnitWriting = {
  ...inFull,
  number: (value) => compact(value),
  percent: (value) => percent(value),
}

/** Zero is written in seconds, not in milliseconds. */
const formatSeconds = (ms: number): string =>
  ms === 0 ? '0s' : ms < 0 ? minus + duration(-ms) : duration(ms)

function withWord(
  value: number,
  unit: { currency: string } | { suffix: string },
  write: (value: number) => string,
): string {
  if ('suffix' in unit) return `${write(value)} ${unit.suffix}`
  return write === compact ? shortMoney(value, unit.currency) : money(value, unit.currency)
}

const shortMoney = (value: number, currency: string): string =>
  signed(
    new Intl.NumberFormat(locale, {
      ...currencyStyle(currency),
      notation: 'compact',
      maximumSignificantDigits: 3,
    })
      .format(value)
      .replace('K', 'k'),
  )

const bytesSteps = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

/** 1.2 MB, in steps of a thousand as disks are sold. */
export function bytes(count: number): string {
  const rounded = Number(count.toPrecision(3))
  const step = Math.min(bytesSteps.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(rounded, 1)) / 3)))
  return `${plain.format(rounded / 1000 ** step)} ${bytesSteps[step]}`
}

const durationSteps = [
  { unit: 'd', ms: 86_400_000 },
  { unit: 'h', ms: 3_600_000 },
  { unit: 'm', ms: 60_000 },
  { unit: 's', ms: 1000 },
]

/** A duration in its two largest units: 2h 05m, 1m 05s, 4.2s, 340ms. */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)}ms`
  if (ms < 9950) return `${plain.format(Math.round(ms / 100) / 10)}s`

  const seconds = Math.round(ms / 1000) * 1000
  const first = durationSteps.findIndex((step) => seconds >= step.ms)
  const [large, small] = durationSteps.slice(first)
  if (!large) return '0s'
  const rest = small ? Math.floor((seconds % large.ms) / small.ms) : 0
  const whole = `${Math.floor(seconds / large.ms)}${large.unit}`
  if (!small || rest === 0) return whole
  // minutes and seconds always have two digits, as on a clock, so that columns of them line up
  return `${whole} ${small.unit === 'h' ? rest : String(rest).padStart(2, '0')}${small.unit}`
}

const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const relativeSteps: { unit: Intl.RelativeTimeFormatUnit; ms: number }[] = [
  { unit: 'year', ms: 365 * 86_400_000 },
  { unit: 'month', ms: 30 * 86_400_000 },
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
]

/** 3 minutes ago, in 2 days. Never "in 0 seconds": clocks differ, so the nearest minute is "just now". */
export function ago(moment: TimeInput, now: TimeInput): string {
  const ms = new Date(moment).getTime() - new Date(now).getTime()
  const step = relativeSteps.find((each) => Math.abs(ms) >= each.ms)
  return step ? relative.format(Math.trunc(ms / step.ms), step.unit) : 'just now'
}

/** 21 Nov 2026 */
export const date = (moment: TimeInput, timeZone: string): string => {
  const { day, month, year } = parts(moment, timeZone)
  return `${day} ${month} ${year}`
}

/** 21 Nov 2026, 07:45 */
export const dateTime = (moment: TimeInput, timeZone: string): string => {
  const { hour, minute } = parts(moment, timeZone)
  return `${date(moment, timeZone)}, ${hour}:${minute}`
}

/** 07:45:03 */
export const time = (moment: TimeInput, timeZone: string): string => {
  const { hour, minute, second } = parts(moment, timeZone)
  return `${hour}:${minute}:${second}`
}

/** 21 Nov 2026, of a calendar day, wherever it is. */
export const day = (calendarDay: Day): string => date(`${calendarDay}T00:00:00Z`, 'UTC')

/** November 2026 */
export const month = (calendarDay: Day): string =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(
    new Date(calendarDay),
  )

/** 1 – 21 Nov 2026, 28 Oct – 3 Nov 2026, 30 Dec 2025 – 2 Jan 2026: nothing said twice. */
export function days({ from, to }: DayRange): string {
  if (from === to) return day(from)
  const start = parts(`${from}T00:00:00Z`, 'UTC')
  if (from.slice(0, 7) === to.slice(0, 7)) return `${start.day} – ${day(to)}`
  if (from.slice(0, 4) === to.slice(0, 4)) return `${start.day} ${start.month} – ${day(to)}`
  return `${day(from)} – ${day(to)}`
}

function parts(moment: TimeInput, timeZone: string) {
  const format = new Intl.DateTimeFormat(locale, {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  const found = Object.fromEntries(
    format.formatToParts(new Date(moment)).map(({ type, value }) => [type, value]),
  )
  const { day: d = '', month: m = '', year = '', hour = '', minute = '', second = '' } = found
  return { day: d, month: m, year, hour, minute, second }
}
