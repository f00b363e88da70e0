import * as fc from 'fast-check'

/** The time zones and days of awkward calendars: clocks that change, quarters of hours, a day that never was. */
export const awkwardPlaces = [
  { timeZone: 'UTC', day: '2026-03-02' },
  { timeZone: 'America/Sao_Paulo', day: '2018-11-04' },
  { timeZone: 'Europe/Berlin', day: '2026-03-29' },
  { timeZone: 'Asia/Kathmandu', day: '2026-03-02' },
  { timeZone: 'Pacific/Apia', day: '2011-12-31' },
] as const

export const daysFrom = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

export const hoursFrom = (day: string, hours: number): Date =>
  new Date(Date.parse(`${day}T00:00:00Z`) + hours * 3_600_000)

/** Around a day: often within two hours of its beginning, sometimes weeks away, and many at the same instant. */
export const momentAround = (day: string): fc.Arbitrary<string> =>
  fc
    .oneof(
      { weight: 2, arbitrary: fc.integer({ min: -4, max: 4 }).map((quarter) => quarter / 4) },
      { weight: 4, arbitrary: fc.integer({ min: -72, max: 72 }) },
      { weight: 1, arbitrary: fc.integer({ min: -1000, max: 1000 }) },
    )
    .map((hours) => hoursFrom(day, hours).toISOString())

/** An event about that day; some have no session, no group or no property. */
const eventAround = (day: string) =>
  fc.record({
    person: fc.constantFrom('ana', 'ben', 'cleo', 'dan'),
    event: fc.constantFrom('a', 'a', 'b', 'c', 'd'),
    at: momentAround(day),
    groups: fc.constantFrom<Record<string, string>>({ company: 'u' }, { company: 'v' }, {}),
    properties: fc.constantFrom<Record<string, string>>(
      { plan: 'p' },
      { plan: 'q' },
      { plan: 'r' },
      { plan: '' },
      {},
    ),
  })

/** A story of such events, some of them twice, unchanged. */
export const storyAround = (day: string) =>
  fc
    .tuple(fc.array(eventAround(day), { maxLength: 9 }), fc.boolean())
    .map(([events, twice]) => (twice ? [...events, ...events.slice(0, 1)] : events))

/** Around a day, of one day to several weeks. */
export const periodAround = (day: string): fc.Arbitrary<string> =>
  fc.constantFrom(
    `${day}..${day}`,
    `${daysFrom(day, -1)}..${daysFrom(day, 1)}`,
    `${daysFrom(day, -4)}..${daysFrom(day, 3)}`,
    `${daysFrom(day, -20)}..${daysFrom(day, 9)}`,
    `${daysFrom(day, -1)}T05:10:00Z..${day}T21:00:00Z`,
  )

/** The calendar and the time of a query: before, within and long after the period. */
export const calendarAround = ({ timeZone, day }: (typeof awkwardPlaces)[number]) =>
  fc.record({
    timeZone: fc.constant(timeZone),
    weekStart: fc.constantFrom('monday' as const, 'sunday' as const),
    now: fc.constantFrom(-1, 5, 30, 2000).map((hours) => hoursFrom(day, hours)),
  })
