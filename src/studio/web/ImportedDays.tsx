import { cache } from 'react'
import { valueName } from '#events/value-names'
import type { DailyList, DailyOverview, ListedMeasure } from '#imports/daily/daily-overview'
import type { DailyMeasure } from '#imports/daily/daily-sum'
import { isOpen, periodOn } from '#insights/calendar/period'
import { wordsOf } from '#insights/text/dimension-words'
import { BarList } from '#ui/chart/BarList'
import { LineChart } from '#ui/chart/LineChart'
import { NumberTile } from '#ui/chart/NumberTile'
import { Stats } from '#ui/chart/Stat'
import { bucketPoints } from '#ui/chart/time-axis'
import { CountryFlag } from '#ui/CountryFlag'
import { addDays, countDays, type Day, dayAt, type DayRange, startOfMonth } from '#ui/dates'
import { days } from '#ui/format'
import { Notice } from '#ui/page/Notice'
import { Panel } from '#ui/page/Panel'
import { getProduct } from '#studio/product'
import type { WebContext } from './web-queries'

/** Shows daily totals of another product beside the events of this one. They are never mixed. */
export async function ImportedFigures({ web }: { web: WebContext }) {
  const overview = await importedDays(web)
  if (!overview) return null
  const { span, days: totals } = overview
  const labels = overview.labels.join(' and ')
  if (isNarrowed(web))
    return (
      <Notice title={`Imported days of ${labels} are not shown`}>
        For {days(span)} there are daily totals only. They cannot be filtered: remove the filters to see them.
      </Notice>
    )
  return (
    <Panel
      title={`Imported from ${labels}`}
      description={`${days(span)}, as daily totals. Visitors of several days cannot be added up, so they are an average.`}
    >
      <div className="flex flex-col gap-4">
        <Stats>
          <ImportedTiles totals={totals} length={countDays(span)} />
        </Stats>
        <ImportedChart totals={totals} range={span} />
      </div>
    </Panel>
  )
}

/** Lists the values with the most visits, views or events over the imported days. */
export async function ImportedLists({ web }: { web: WebContext }) {
  const overview = isNarrowed(web) ? undefined : await importedDays(web)
  if (!overview) return null
  return (
    <div className="grid gap-4 *:min-w-0 md:grid-cols-2">
      {overview.lists.map((list) => (
        <ImportedList key={list.dimension} list={list} labels={overview.labels} />
      ))}
    </div>
  )
}

const isNarrowed = ({ question, segment, goal }: WebContext): boolean =>
  question.chips.length > 0 || segment !== undefined || goal !== undefined

/** Both parts of the page show the same days, which are read once. */
const importedDays = cache((web: WebContext): Promise<DailyOverview | undefined> =>
  getProduct().imports.dailySums(web.project.id, daysAsked(web), web.viewer),
)

const always: DayRange = { from: '0001-01-01', to: '9999-12-31' }

function daysAsked({ question: { period }, project: { timeZone }, chartSettings }: WebContext): DayRange {
  if (isOpen(period)) return always
  const { from, until } = periodOn({ timeZone, weekStart: chartSettings.weekStart, now: new Date() }, period)
  return { from: dayAt(from, timeZone), to: dayAt(new Date(until.getTime() - 1), timeZone) }
}

function ImportedTiles({ totals, length }: { totals: DailyOverview['days']; length: number }) {
  const sum = (measure: DailyMeasure) => totals.reduce((total, day) => total + day[measure], 0)
  const [visits, views] = [sum('visits'), sum('views')]
  const perVisit = (amount: number) => (visits === 0 ? null : amount / visits)
  const tiles = [
    { label: 'Visitors per day', value: sum('visitors') / length, unit: 'number' },
    { label: 'Visits', value: visits, unit: 'number' },
    { label: 'Views', value: views, unit: 'number' },
    { label: 'Views per visit', value: perVisit(views), unit: 'number' },
    { label: 'Bounce rate', value: perVisit(sum('bounces')), unit: 'percent' },
    { label: 'Visit duration', value: perVisit(sum('seconds')), unit: 'seconds' },
  ] as const
  return tiles.map(({ label, value, unit }) => (
    <NumberTile key={label} label={label} value={value} unit={unit} />
  ))
}

/** More days than these are averaged by month. */
const mostDaysDrawn = 400

/** A day without a total had no visitors. */
function ImportedChart({ totals, range }: { totals: DailyOverview['days']; range: DayRange }) {
  const visitors = new Map(totals.map(({ day, visitors: amount }) => [day, amount]))
  const each = Array.from({ length: countDays(range) }, (_, at) => addDays(range.from, at))
  const interval = each.length > mostDaysDrawn ? 'month' : 'day'
  const buckets = Map.groupBy(each, (day) => (interval === 'month' ? startOfMonth(day) : day))
  const average = (shownDays: readonly Day[]) =>
    shownDays.reduce((total, day) => total + (visitors.get(day) ?? 0), 0) / shownDays.length
  return (
    <LineChart
      title="Visitors per day"
      unit="number"
      points={bucketPoints([...buckets.keys()], interval)}
      series={[{ key: 'visitors', label: 'Visitors per day', values: [...buckets.values()].map(average) }]}
      shape="area"
    />
  )
}

const measureLabels: Record<ListedMeasure, string> = {
  views: 'Views',
  visits: 'Visits',
  events: 'Events',
}

function ImportedList({
  list: { dimension, by, rows },
  labels,
}: {
  list: DailyList
  labels: readonly string[]
}) {
  const { label, plural, key } = wordsOf(dimension)
  return (
    <Panel flush title={`Imported ${plural}`} description={`From ${labels.join(' and ')}`}>
      <BarList
        title={`${measureLabels[by]} by ${label.toLowerCase()}, imported`}
        heads={{ label, value: measureLabels[by] }}
        rows={rows.map((row) => ({
          key: row.value,
          label: valueName(key, row.value),
          value: row[by],
          icon: dimension === 'country' ? <CountryFlag country={row.value} /> : undefined,
        }))}
      />
    </Panel>
  )
}
