import { z } from 'zod'

/** A period here that moves with the calendar as PostHog's does; undefined if it has fixed days. */
interface RelativePeriod {
  period: string | undefined
  note?: string
}

const named: Readonly<Record<string, string | undefined>> = {
  all: 'all',
  'dStart..': 'today',
  '-0d..': 'today',
  '-1d..-1d': 'yesterday',
  '-1dStart..-1dEnd': 'yesterday',
  'wStart..': 'this-week',
  'mStart..': 'this-month',
  'yStart..': 'this-year',
  '-1mStart..-1mEnd': 'last-month',
  '-1yStart..-1yEnd': 'last-year',
}

/** PostHog's last seven days are today and seven more. */
const days: Readonly<Record<string, ((amount: number) => number) | undefined>> = {
  d: (amount) => amount + 1,
  w: (amount) => amount * 7 + 1,
  m: (amount) => Math.round(amount * 30.44) + 1,
  q: (amount) => Math.round(amount * 91.31) + 1,
  y: (amount) => Math.round(amount * 365.25) + 1,
}

export function relativePeriod(from: string, to: string | undefined): RelativePeriod {
  if (from === 'all') return { period: 'all' }
  const known = named[`${from}..${to ?? ''}`]
  if (known !== undefined) return { period: known }
  const [, amount = '', unit = ''] = /^-(\d{1,4})([hdwmqy])$/.exec(from) ?? []
  if (unit === '' || to !== undefined) return fixed(from, to)
  if (unit === 'h') return { period: `${amount}h` }
  const count = days[unit]?.(Number(amount)) ?? 0
  const isRounded = unit !== 'd' && unit !== 'w'
  return {
    period: `${count}d`,
    ...(isRounded && { note: `Its period is the last ${count} days here.` }),
  }
}

const dateRange = z.looseObject({ date_from: z.string().nullish(), date_to: z.string().nullish() })

/** Gives a query that is saved the period that moves with the calendar as PostHog’s query does. */
export function withRelativePeriod(
  query: object,
  posthogQuery: Readonly<Record<string, unknown>>,
): { question: object; note?: string } {
  const range = dateRange.safeParse(posthogQuery['dateRange'] ?? {})
  const isOfRetention = posthogQuery['kind'] === 'RetentionQuery' && !range.data?.date_from
  if (!range.success || isOfRetention) return { question: query }
  const { period, note } = relativePeriod(range.data.date_from ?? '-7d', range.data.date_to ?? undefined)
  return {
    question: period === undefined ? query : { ...query, period },
    ...(note !== undefined && { note }),
  }
}

/** Two dates stay as they are; a relative end becomes the days that it means now. */
const fixed = (from: string, to: string | undefined): RelativePeriod =>
  /^\d/.test(from) && to !== undefined && /^\d/.test(to)
    ? { period: undefined }
    : { period: undefined, note: 'Its period has the days that it means today. Choose one that moves along.' }
