import { Temporal } from 'temporal-polyfill'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import vectors from '#test/vectors/timezones.json' with { type: 'json' }
import {
  bucketsOf,
  bucketStart,
  type Calendar,
  comparedSoFar,
  comparedWith,
  comparisonText,
  daysBefore,
  endOfDay,
  hourOfWeek,
  type Interval,
  type Period,
  periodOn,
  periodText,
  usualInterval,
  type WeekStart,
} from './period'

const calendarIn = (
  timeZone: string,
  now = '2026-03-04T12:00:00Z',
  weekStart: WeekStart = 'monday',
): Calendar => ({
  timeZone,
  weekStart,
  now: new Date(now),
})

const utc = calendarIn('UTC')

const written = ({ from, until }: Period): string => `${short(from)}..${short(until)}`
const short = (at: Date): string =>
  at
    .toISOString()
    .replace(/T00:00:00.000Z$/, '')
    .replace(/:00.000Z$/, 'Z')

describe('a day on the calendar', () => {
  test.each(vectors.cases)('$tz $date has $hours hours', ({ tz, date, start_unix, end_unix }) => {
    const { from, until } = periodOn(calendarIn(tz), `${date}..${date}`)

    expect([from.getTime() / 1000, until.getTime() / 1000]).toEqual([start_unix, end_unix])
  })

  test.each(vectors.cases)(
    '$tz $date is one bucket by the day, and hours without gaps',
    ({ tz, date, hours }) => {
      const calendar = calendarIn(tz)
      const day = periodOn(calendar, `${date}..${date}`)

      expect(bucketsOf(day, 'day', calendar)).toEqual({ starts: [day.from], end: day.until })
      const byHour = bucketsOf(day, 'hour', calendar)
      expect(byHour?.end).toEqual(day.until)
      expect(byHour?.starts[0]).toEqual(day.from)
      expect(byHour?.starts.length).toBeGreaterThanOrEqual(Math.floor(hours))
    },
  )

  test.each(vectors.events)('$tz $utc is on $day at $hour ($note)', ({ tz, utc: at, day, hour }) => {
    const calendar = calendarIn(tz)

    expect(bucketStart(new Date(at), 'day', calendar)).toEqual(periodOn(calendar, `${day}..${day}`).from)
    expect(hourOfWeek(new Date(at), calendar) % 24).toBe(hour)
  })

  test.each(vectors.weeks)(
    'the week of $date begins on $expected (by $week_start)',
    ({ date, week_start, expected }) => {
      const weekStart = week_start === 'sunday' ? 'sunday' : 'monday'

      const start = bucketStart(new Date(`${date}T15:00:00Z`), 'week', { ...utc, weekStart })

      expect(short(start)).toBe(expected)
    },
  )

  test('the day that Apia skipped is no bucket', () => {
    const calendar = calendarIn('Pacific/Apia')

    const buckets = bucketsOf(periodOn(calendar, '2011-12-29..2011-12-31'), 'day', calendar)

    expect(buckets?.starts.map(short)).toEqual(['2011-12-29T10:00Z', '2011-12-30T10:00Z'])
    expect(buckets && short(buckets.end)).toBe('2011-12-31T10:00Z')
  })

  test('the hour that comes twice is two buckets', () => {
    const calendar = calendarIn('America/New_York')

    const buckets = bucketsOf(periodOn(calendar, '2024-11-03..2024-11-03'), 'hour', calendar)

    expect(buckets?.starts).toHaveLength(25)
    expect(new Set(buckets?.starts.map(Number)).size).toBe(25)
  })

  test('no bucket is empty, and each begins where the one before ends, in every zone', () => {
    for (const { tz, date } of vectors.cases) {
      const calendar = calendarIn(tz)
      const day = periodOn(calendar, `${date}..${date}`)
      const around = {
        from: new Date(day.from.getTime() - 40 * 86_400_000),
        until: new Date(day.until.getTime() + 7 * 3_600_000),
      }
      for (const interval of ['hour', 'day', 'week', 'month'] satisfies Interval[]) {
        const buckets = bucketsOf(around, interval, calendar)
        const edges = [...(buckets?.starts ?? []), ...(buckets ? [buckets.end] : [])].map(Number)
        expect(edges, `${tz} ${interval}`).toEqual([...new Set(edges)].toSorted((one, other) => one - other))
        for (const start of buckets?.starts ?? [])
          expect(bucketStart(start, interval, calendar)).toEqual(start)
      }
    }
  })
})

test.each(['America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'])(
  'four months of hours in %s are the hours of the calendar, which is asked about few of them',
  (timeZone) => {
    const calendar = calendarIn(timeZone)
    const period = periodOn(calendar, '2025-08-20..2025-12-05')
    const halfHours = (period.until.getTime() - period.from.getTime()) / 1_800_000
    const each = Array.from({ length: halfHours }, (_, n) =>
      Number(bucketStart(new Date(period.from.getTime() + n * 1_800_000), 'hour', calendar)),
    )
    const asked = vi.spyOn(Temporal.ZonedDateTime.prototype, 'round')
    onTestFinished(() => asked.mockRestore())

    const starts = bucketsOf(period, 'hour', calendar)?.starts.map(Number)

    expect(starts).toEqual([...new Set(each)])
    expect(asked.mock.calls.length).toBeLessThan(100)
  },
)

describe('what a period means on Wednesday, 4 March 2026, at noon', () => {
  test.each([
    ['today', '2026-03-04..2026-03-05'],
    ['yesterday', '2026-03-03..2026-03-04'],
    ['24h', '2026-03-03T13:00Z..2026-03-04T13:00Z'],
    ['30m', '2026-03-04T11:31Z..2026-03-04T12:01Z'],
    ['1d', '2026-03-04..2026-03-05'],
    ['7d', '2026-02-26..2026-03-05'],
    ['30d', '2026-02-03..2026-03-05'],
    ['2w', '2026-02-23..2026-03-09'],
    ['12mo', '2025-04-01..2026-04-01'],
    ['2y', '2025-01-01..2027-01-01'],
    ['this-week', '2026-03-02..2026-03-09'],
    ['last-week', '2026-02-23..2026-03-02'],
    ['this-month', '2026-03-01..2026-04-01'],
    ['last-month', '2026-02-01..2026-03-01'],
    ['this-year', '2026-01-01..2027-01-01'],
    ['last-year', '2025-01-01..2026-01-01'],
    ['all', '2025-11-20..2026-03-05'],
    ['2026-01-01..2026-01-31', '2026-01-01..2026-02-01'],
    ['2026-01-01T06:00:00Z..2026-01-01T07:30:00+01:00', '2026-01-01T06:00Z..2026-01-01T06:30Z'],
  ])('%s', (text, expected) => {
    expect(periodText.parse(text)).toBe(text)
    expect(written(periodOn(utc, text, new Date('2025-11-20T18:00:00Z')))).toBe(expected)
  })

  test('no period begins before anything was measured', () => {
    expect(written(periodOn(utc, '99999y'))).toBe('1980-01-01..2027-01-01')
  })

  test('everything of a project without events is today', () => {
    expect(written(periodOn(utc, 'all'))).toBe('2026-03-04..2026-03-05')
  })

  test('a week that begins on Sunday', () => {
    expect(written(periodOn(calendarIn('UTC', '2026-03-04T12:00:00Z', 'sunday'), 'this-week'))).toBe(
      '2026-03-01..2026-03-08',
    )
  })

  test('today is another day elsewhere', () => {
    expect(written(periodOn(calendarIn('Pacific/Kiritimati'), 'today'))).toBe(
      '2026-03-04T10:00Z..2026-03-05T10:00Z',
    )
  })

  test('seven days are days and not 168 hours', () => {
    const week = periodOn(calendarIn('Europe/Berlin', '2026-03-31T12:00:00Z'), '7d')

    expect((week.until.getTime() - week.from.getTime()) / 3_600_000).toBe(167)
  })

  test.each([
    'soon',
    '',
    '0d',
    '-3d',
    '7',
    '3 d',
    '999999d',
    '2026-02-30..2026-03-01',
    '2026-03-02..2026-03-01',
    '2026-03-01',
    '2026-03-01..',
    '2026-03-01..2026-03-02..2026-03-03',
    '2026-03-01T00:00..2026-03-02T00:00',
    '2026-03-01T00:00:00Z..2026-03-01T00:00:00Z',
    '+999999-01-01..+999999-01-02',
    'constructor',
    '1979-12-31..2026-01-01',
    '2026-01-01..2201-01-01',
    '0001-01-01T00:00:00Z..2026-01-01T00:00:00Z',
  ])('%j means nothing', (text) => {
    expect(periodText.safeParse(text).error?.issues[0]?.message).toMatch(/^Say a period as/)
  })
})

describe('what it is compared with', () => {
  test.each([
    // period                     compare       with                            in
    ['7d', 'previous', '2026-02-19..2026-02-26', 'UTC'],
    ['this-week', 'previous', '2026-02-23..2026-03-02', 'UTC'],
    ['this-month', 'previous', '2026-02-01..2026-03-01', 'UTC'],
    ['last-month', 'previous', '2026-01-01..2026-02-01', 'UTC'],
    ['this-year', 'previous', '2025-01-01..2026-01-01', 'UTC'],
    ['2026-01-10..2026-01-12', 'previous', '2026-01-07..2026-01-10', 'UTC'],
    ['24h', 'previous', '2026-03-02T13:00Z..2026-03-03T13:00Z', 'UTC'],
    ['2026-03-30..2026-04-05', 'previous', '2026-03-22T23:00Z..2026-03-29T22:00Z', 'Europe/Berlin'],
    ['7d', 'year', '2025-02-26..2025-03-05', 'UTC'],
    ['2024-02-29..2024-02-29', 'year', '2023-02-28..2023-03-01', 'UTC'],
    ['this-month', 'year', '2025-03-01..2025-04-01', 'UTC'],
    ['7d', '2026-01-01..2026-01-07', '2026-01-01..2026-01-08', 'UTC'],
    ['2011-12-31..2011-12-31', 'previous', '2011-12-29T10:00Z..2011-12-30T10:00Z', 'Pacific/Apia'],
    ['60y', 'previous', '1970-01-02..1980-01-01', 'UTC'],
    ['7d', 'last-month', '2026-02-01..2026-03-01', 'UTC'],
    // 2026-03-04 is a Wednesday; by weeks, Wednesdays are compared with Wednesdays
    ['today', 'previous-weekday', '2026-02-25..2026-02-26', 'UTC'],
    ['7d', 'previous-weekday', '2026-02-19..2026-02-26', 'UTC'],
    ['30d', 'previous-weekday', '2025-12-30..2026-01-29', 'UTC'],
    ['this-month', 'previous-weekday', '2026-01-25..2026-02-25', 'UTC'],
    ['24h', 'previous-weekday', '2026-02-24T13:00Z..2026-02-25T13:00Z', 'UTC'],
    ['2026-03-30..2026-04-05', 'previous-weekday', '2026-03-22T23:00Z..2026-03-29T22:00Z', 'Europe/Berlin'],
    ['7d', 'year-weekday', '2025-02-27..2025-03-06', 'UTC'],
    ['2024-02-29..2024-02-29', 'year-weekday', '2023-03-02..2023-03-03', 'UTC'],
  ])('%s, %s', (text, compare, expected, timeZone) => {
    const calendar = calendarIn(timeZone)

    const period = comparedWith(periodOn(calendar, text), comparisonText.parse(compare), calendar)

    expect(written(period)).toBe(expected)
  })

  test('nothing is compared with "before"', () => {
    expect(comparisonText.safeParse('before').error?.issues[0]?.message).toMatch(/^Compare with "previous"/)
  })

  test.each([
    // of a period            now                        as much of the other one
    ['this-week', '2026-03-04T12:00:00Z', '2026-02-23..2026-02-25T12:00Z'],
    ['this-month', '2026-03-31T12:00:00Z', '2026-02-01..2026-03-01'],
    ['last-week', '2026-03-04T12:00:00Z', '2026-02-16..2026-02-23'],
    ['30d', '2026-03-04T12:00:00Z', '2026-01-04..2026-02-02T12:00Z'],
    ['2026-04-01..2026-04-02', '2026-03-04T12:00:00Z', '2026-03-30..2026-04-01'],
  ])('%s is compared with as much as has passed of it', (text, now, expected) => {
    const calendar = calendarIn('UTC', now)
    const period = periodOn(calendar, text)

    expect(written(comparedSoFar(comparedWith(period, 'previous', calendar), period, calendar))).toBe(
      expected,
    )
  })

  test('a day that begins at one is compared with the whole one before, and with noon at noon', () => {
    const calendar = calendarIn('America/Sao_Paulo', '2018-11-04T14:00:00Z')
    const period = periodOn(calendar, '2018-11-04..2018-11-04')

    const other = comparedWith(period, 'previous', calendar)

    expect(written(other)).toBe('2018-11-03T03:00Z..2018-11-04T03:00Z')
    expect(written(comparedSoFar(other, period, calendar))).toBe('2018-11-03T03:00Z..2018-11-03T15:00Z')
    expect(written(comparedWith(period, 'year', calendar))).toBe('2017-11-04T02:00Z..2017-11-05T02:00Z')
  })

  test('noon is compared with noon, although the clocks were changed in between', () => {
    const calendar = calendarIn('Europe/Berlin', '2026-03-30T10:00:00Z')
    const period = periodOn(calendar, '2d')

    const soFar = comparedSoFar(comparedWith(period, 'previous', calendar), period, calendar)

    expect(written(soFar)).toBe('2026-03-26T23:00Z..2026-03-28T11:00Z')
  })
})

describe('buckets', () => {
  test.each([
    ['2h', 'minute'],
    ['24h', 'hour'],
    ['2d', 'hour'],
    ['3d', 'day'],
    ['90d', 'day'],
    ['6mo', 'week'],
    ['12mo', 'week'],
    ['3y', 'month'],
  ])('%s is usually shown by the %s', (text, interval) => {
    expect(usualInterval(periodOn(utc, text))).toBe(interval)
  })

  test.each([
    ['10y', 'minute'],
    ['10y', 'hour'],
    ['3d', 'minute'],
    ['9999y', 'day'],
  ] as const)('%s by %s are too many', (text, interval) => {
    expect(bucketsOf(periodOn(utc, text), interval, utc)).toBeUndefined()
  })

  test('2 days by the minute are not, nor 8 years by the day', () => {
    expect(bucketsOf(periodOn(utc, '2d'), 'minute', utc)?.starts).toHaveLength(2880)
    expect(bucketsOf(periodOn(utc, '2018-01-01..2025-12-31'), 'day', utc)?.starts).toHaveLength(2922)
  })

  test('the first may begin before the period, and the last end after it', () => {
    const buckets = bucketsOf(periodOn(utc, '2026-03-04..2026-03-10'), 'week', utc)

    expect(buckets?.starts.map(short)).toEqual(['2026-03-02', '2026-03-09'])
    expect(buckets && short(buckets.end)).toBe('2026-03-16')
  })
})

describe('days looked back over', () => {
  test.each([
    ['UTC', '2026-03-08T00:00:00Z', '2026-03-01'],
    ['UTC', '2026-03-08T06:00:00Z', '2026-03-01T06:00Z'],
    ['Europe/Berlin', '2026-03-29T22:00:00Z', '2026-03-22T23:00Z'],
    ['America/Sao_Paulo', '2018-11-04T03:00:00Z', '2018-10-28T03:00Z'],
    ['America/Sao_Paulo', '2018-11-11T02:00:00Z', '2018-11-04T03:00Z'],
    ['America/Sao_Paulo', '2018-11-11T02:30:00Z', '2018-11-04T03:00Z'],
    ['Pacific/Apia', '2012-01-06T05:00:00Z', '2011-12-30T10:00Z'],
  ])('in %s, the seven before %s begin at %s', (timeZone, at, expected) => {
    expect(short(daysBefore(new Date(at), 7, calendarIn(timeZone)))).toBe(expected)
  })

  test('the beginning of a day is the end of the one before', () => {
    expect(short(endOfDay(new Date('2026-03-08T00:00:00Z'), utc))).toBe('2026-03-08')
    expect(short(endOfDay(new Date('2026-03-08T00:00:00.001Z'), utc))).toBe('2026-03-09')
    expect(short(endOfDay(new Date('2018-11-04T03:00:00Z'), calendarIn('America/Sao_Paulo')))).toBe(
      '2018-11-04T03:00Z',
    )
  })
})
