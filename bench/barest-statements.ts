import { type Sql, sql } from '#engine/sql'

/**
 * The barest statements that a hand would write for the questions of `insights.bench.ts`: no merged persons, no filters,
 * no order of events within a millisecond, no page groups, no comparison with part of a day. They are not the same
 * answers; they are the least that an answer of its kind reads and groups. Reading and vitals of the page are left out.
 */
const inLast = (days: 30 | 60 | 84): Sql => sql`
  project_id = 1 and traffic = 'human' and timestamp < '2026-04-01 00:00:00'
  and timestamp >= ${{ 30: sql`'2026-03-02 00:00:00'`, 60: sql`'2026-01-31 00:00:00'`, 84: sql`'2026-01-07 00:00:00'` }[days]}`

const month = inLast(30)

/** The rows of a panel, in a single group by. */
const rows = (column: Sql, where: Sql = month): Sql => sql`
  select ${column} as value, uniqExact(person_id) as visitors, count()
  from events where ${where} group by value order by visitors desc limit 10`

/** Visitors, visits, views and their length by day; and with the first value of a column, by that. */
const visits = (where: Sql, ...columns: Sql[]): Sql => sql`
  select day, ${sql.join(
    columns.map((_, i) => columnNames[i] ?? sql``).map((name) => sql`${name}, `),
    sql``,
  )}
    uniqExact(visitor), count(), sum(views), countIf(views = 1), sum(seconds)
  from (
    select toDate(min(timestamp)) as day, min(person_id) as visitor, countIf(event = '$pageview') as views,
      max(timestamp) - min(timestamp) as seconds
      ${sql.join(
        columns.map((column, i) => sql`, argMin(${column}, timestamp) as ${columnNames[i] ?? sql``}`),
        sql``,
      )}
    from events where ${where} group by session_id
  )
  group by grouping sets ((), (day)${sql.join(
    columns.map((_, i) => sql`, (${columnNames[i] ?? sql``})`),
    sql``,
  )})`

const columnNames = [sql`first_0`, sql`first_1`, sql`first_2`, sql`first_3`]

const byDay = (count: Sql, where: Sql, ...further: Sql[]): Sql => sql`
  select ${sql.join([sql`toDate(timestamp) as day`, ...further])}, ${count}
  from events where ${month} and ${where} group by all`

const views = sql`event = '$pageview'`
const total = sql`count()`
const persons = sql`uniqExact(person_id)`
const channel = sql`channel`
const country = sql`country`
const browser = sql`browser`

const funnel = sql`
  select level, count() from (
    select windowFunnel(1209600)(toDateTime(timestamp), ${views}, event = 'signed up', event = 'purchased') as level
    from events where ${month} and event in ('$pageview', 'signed up', 'purchased') group by person_id
  ) group by level`

const weeks = (days: 60 | 84): Sql => sql`
  select weeks, count() from (
    select groupBitOr(bitShiftLeft(toUInt64(1), dateDiff('week', toDate('2026-01-05'), toDate(timestamp)))) as weeks
    from events where ${inLast(days)} and ${views} group by person_id
  ) group by weeks`

const activeDays = sql`
  select days, count() from (
    select uniqExact(toDate(timestamp)) as days from events where ${month} and ${views} group by person_id
  ) group by days`

const paths = sql`
  select pages, count() as visits from (
    select arraySlice(arrayMap(one -> one.2, arraySort(groupArray((timestamp, path)))), 1, 5) as pages
    from events where ${month} and ${views} group by session_id
  ) group by pages order by visits desc limit 20`

const page = (days: 30 | 60): Sql[] => [
  visits(inLast(days), channel, country, browser),
  rows(sql`path`, sql`${inLast(days)} and ${views}`),
  rows(sql`event`, inLast(days)),
]

export const barest = {
  figures: [visits(month)],
  comparedFigures: [visits(inLast(60))],
  panels: {
    page: [rows(sql`path`, sql`${month} and ${views}`)],
    event: [rows(sql`event`)],
    channel: [rows(channel)],
    country: [rows(country)],
    browser: [rows(browser)],
    entry: [visits(month, sql`path`)],
  },
  firstPanels: [visits(month, channel, country, browser, sql`path`)],
  page: page(30),
  comparedPage: page(60),
  dailyUsers: [byDay(persons, views)],
  trendByPlan: [byDay(total, views, sql`properties['plan'] as plan`)],
  funnel: [funnel],
  retention: [weeks(84)],
  paths: [paths],
  dashboard: [
    visits(inLast(60)),
    byDay(total, views),
    byDay(persons, views),
    byDay(total, sql`event = 'signed up'`),
    byDay(total, views, sql`properties['plan'] as plan`),
    byDay(total, views, browser),
    rows(sql`path`, sql`${month} and ${views}`),
    visits(month, channel, country),
    funnel,
    weeks(60),
    byDay(persons, sql`true`),
    activeDays,
  ],
}
