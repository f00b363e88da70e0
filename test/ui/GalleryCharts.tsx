import { useState, type ReactNode } from 'react'
import { BarChart } from '#ui/chart/BarChart'
import { BarList } from '#ui/chart/BarList'
import type { PointPick, Series } from '#ui/chart/chart'
import { ChartExport } from '#ui/chart/ChartExport'
import { ChartFrame } from '#ui/chart/ChartFrame'
import { addDays } from '#ui/dates'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { FunnelChart } from '#ui/chart/FunnelChart'
import { HeatCalendar } from '#ui/chart/HeatCalendar'
import { Histogram } from '#ui/chart/Histogram'
import { EmptyInterval, IntervalAxis, IntervalChart } from '#ui/chart/IntervalChart'
import { intervalScale } from '#ui/chart/interval-scale'
import { LineChart } from '#ui/chart/LineChart'
import { NumberTile } from '#ui/chart/NumberTile'
import { PieChart } from '#ui/chart/PieChart'
import { RetentionCurve } from '#ui/chart/RetentionCurve'
import { RetentionTriangle } from '#ui/chart/RetentionTriangle'
import { SankeyChart } from '#ui/chart/SankeyChart'
import { SparkLine } from '#ui/chart/SparkLine'
import { StackedLifecycle } from '#ui/chart/StackedLifecycle'
import { Stats } from '#ui/chart/Stat'
import { bucketPoints } from '#ui/chart/time-axis'
import { WorldMap } from '#ui/chart/WorldMap'

/** Numbers that look like life and are the same every time. */
const lively = (count: number, height: number, seed: number): number[] =>
  Array.from({ length: count }, (_, place) => {
    const week = 1 - 0.35 * Math.max(0, Math.sin(((place + seed) / 7) * 2 * Math.PI))
    const noise = 0.85 + 0.3 * Math.abs(Math.sin((place + 1) * 12.9898 + seed * 78.233))
    return Math.round(height * week * noise * (0.7 + (0.6 * place) / count))
  })

const days = Array.from({ length: 30 }, (_, place) => addDays('2026-10-23', place))
const points = bucketPoints(days, 'day')
const visitors: Series = { key: 'visitors', label: 'Visitors', values: lively(30, 1200, 1) }
const before = {
  label: 'Previous period',
  points: bucketPoints(
    days.map((day) => addDays(day, -30)),
    'day',
  ),
}
const score = { key: 'score', label: 'Score', values: lively(30, 60, 4) }

const sources = ['Direct', 'Search', 'Social', 'Newsletter', 'Referrals', 'AI answers', 'Ads', 'Other'].map(
  (label, place): Series => ({
    key: label,
    label,
    values: lively(30, 600 / (place + 1), place + 2),
    hrefs: place === 0 ? days.map((day) => `#${day}`) : undefined,
  }),
)
const annotations = [
  { at: 9, label: 'Version 2 released', href: '#annotation' },
  { at: 21, label: 'Newsletter to 12,000 people' },
]
const manyWords = 'A name somebody typed in without ever stopping to think about charts '
  .repeat(6)
  .slice(0, 400)
const hostile = ['<script>alert(1)</script>', 'שלום עולם مرحبا', '🌱🧑‍🌾 fleurs & <b>miel</b>', manyWords]

export function GalleryCharts() {
  return (
    <main className="mx-auto flex max-w-page flex-col gap-4 px-4 py-8 sm:px-8">
      <h1 className="text-3xl font-semibold">Charts</h1>
      <Tiles />
      <Trends />
      <Lists />
      <Journeys />
      <When />
      <Effects />
    </main>
  )
}

const Columns = ({ children }: { children: ReactNode }) => (
  <div className="grid min-w-0 gap-4 *:min-w-0 lg:grid-cols-2">{children}</div>
)

function Tiles() {
  return (
    <Stats>
      <NumberTile
        label="Visitors"
        value={12345}
        compared={11021}
        spark={lively(30, 50, 1)}
        href="#v"
        current
      />
      <NumberTile
        label="Bounce rate"
        value={0.4123}
        compared={0.38}
        unit="percent"
        good="down"
        spark={lively(30, 9, 2)}
      />
      <NumberTile label="Visit duration" value={83} compared={83} unit="seconds" spark={[3]} />
      <NumberTile
        label="Revenue"
        value={1234567.5}
        compared={0}
        unit={{ currency: 'EUR' }}
        spark={[0, 0, 0]}
      />
      <NumberTile label="Signups" value={null} hint="Not counted before 3 Mar 2026" />
      <NumberTile label="Events" value={undefined} />
    </Stats>
  )
}

function Trends() {
  const [picked, setPicked] = useState<PointPick>()
  return (
    <>
      <ChartFrame
        title="Visitors"
        description="Unique per day, Europe/Berlin"
        hasTable
        actions={<ChartExport name="Visitors" csvHref="#csv" jsonHref="#json" />}
        notice={{ tone: 'info', text: 'Counted 4 minutes ago' }}
      >
        <LineChart
          title="Visitors"
          points={points.map((point, place) => ({ ...point, href: `#day-${days[place]}` }))}
          series={[{ ...visitors, compared: lively(30, 1000, 5) }]}
          comparison={before}
          shape="area"
          lastIsIncomplete
          annotations={annotations}
          guides={[{ value: 1500, label: 'Goal' }]}
          size="lg"
        />
      </ChartFrame>
      <Columns>
        <ChartFrame title="By source" hasTable>
          <LineChart
            title="Visitors by source"
            points={points}
            series={sources}
            lastIsIncomplete
            onPick={setPicked}
          />
          <output className="sr-only">{picked && `Picked ${picked.series} at ${picked.point}`}</output>
        </ChartFrame>
        <ChartFrame title="Score" hasTable>
          <LineChart
            title="Score with its interval"
            points={points}
            series={[{ ...score, bounds: score.values.map((value) => [value - 12, value + 9] as const) }]}
          />
        </ChartFrame>
        <ChartFrame title="By source, stacked" hasTable>
          <LineChart
            title="Sources on top of each other"
            points={points}
            series={sources}
            shape="stacked"
            lastIsIncomplete
          />
        </ChartFrame>
        <ChartFrame title="Revenue" hasTable>
          <BarChart
            title="Revenue"
            points={points}
            unit={{ currency: 'EUR' }}
            series={[
              {
                key: 'revenue',
                label: 'Revenue',
                values: lively(30, 4200, 3),
                compared: lively(30, 3600, 8),
              },
            ]}
            comparison={before}
            lastIsIncomplete
            annotations={annotations}
          />
        </ChartFrame>
        <ChartFrame title="Signups by plan" hasTable>
          <BarChart
            title="Signups by plan"
            points={bucketPoints(
              ['2026-07-01', '2026-08-01', '2026-09-01', '2026-10-01', '2026-11-01'],
              'month',
            )}
            series={sources.slice(0, 4).map((series) => ({ ...series, values: series.values.slice(0, 5) }))}
            arrangement="grouped"
            lastIsIncomplete
          />
        </ChartFrame>
        <ChartFrame title="Signups by source" hasTable>
          <BarChart title="Signups by source" points={points} series={sources.slice(0, 6)} lastIsIncomplete />
        </ChartFrame>
        <ChartFrame title="Who came and who left" hasTable>
          <StackedLifecycle
            title="Who came and who left"
            points={bucketPoints(
              days.slice(0, 12).map((_, place) => addDays('2026-09-07', place * 7)),
              'week',
            )}
            above={[
              { key: 'returning', label: 'Returning', values: lively(12, 800, 1) },
              { key: 'new', label: 'New', values: lively(12, 300, 2) },
              { key: 'back', label: 'Resurrected', values: lively(12, 90, 3) },
            ]}
            below={[{ key: 'dormant', label: 'Dormant', values: lively(12, 340, 4) }]}
            lastIsIncomplete
          />
        </ChartFrame>
      </Columns>
    </>
  )
}

const pages = [
  { key: '/', label: '/', value: 12345, compared: 11000, second: 0.034, href: '#/' },
  {
    key: '/pricing',
    label: '/pricing',
    value: 6120,
    compared: 7100,
    second: 0.12,
    href: '#/pricing',
    current: true,
  },
  { key: '/blog', label: '/blog/what-we-measure', value: 4410, compared: 4410, second: 0, href: '#/blog' },
  { key: '/docs', label: '/docs/start', value: 2207, compared: 0, second: 0.001, href: '#/docs' },
  ...hostile.map((label, place) => ({
    key: label,
    label,
    value: 900 - place * 200,
    second: null,
    href: `#${place}`,
  })),
]

function Lists() {
  const [picked, setPicked] = useState('')
  return (
    <Columns>
      <ChartFrame title="Pages" flush>
        <BarList
          title="Pages"
          heads={{ label: 'Page', value: 'Visitors', second: 'Converted' }}
          secondUnit="percent"
          total={30000}
          rows={pages}
        />
      </ChartFrame>
      <ChartFrame title="Countries" hasTable>
        <WorldMap
          title="Visitors by country"
          valueLabel="Visitors"
          places={Object.entries({
            US: 5310,
            DE: 2400,
            FR: 980,
            BR: 730,
            IN: 640,
            JP: 320,
            SG: 120,
            NZ: 64,
            FJ: 3,
            T1: 2,
            MT: 1,
          }).map(([code, value]) => ({
            code,
            value,
            label: code === 'DE' ? 'Germany' : code,
            href: `#country-${code}`,
          }))}
        />
      </ChartFrame>
      <ChartFrame title="Browsers" flush>
        <BarList
          title="Browsers"
          heads={{ label: 'Browser', value: 'Visitors' }}
          rows={pages.slice(0, 4).map(({ href: _, ...row }) => row)}
          onPick={(row) => setPicked(row.label)}
        />
        <output className="sr-only">{picked && `Picked ${picked}`}</output>
      </ChartFrame>
      <ChartFrame title="Devices" hasTable>
        <PieChart
          title="Devices"
          centre="visitors"
          limit={6}
          slices={[
            ...['Desktop', 'Phone', 'Tablet', 'Television', 'Watch', 'Console', 'Fridge'].map(
              (label, place) => ({
                key: label,
                label,
                value: Math.round(9000 / (place + 1) ** 1.3),
                href: `#${label}`,
              }),
            ),
            { key: 'long', label: manyWords, value: 1500 },
          ]}
        />
      </ChartFrame>
    </Columns>
  )
}

const steps = ['Visited pricing', 'Began signup', manyWords, 'Activated'].map((label) => ({
  key: label,
  label,
}))
const counts = [10000, 4210, 3120, 812]
const cohorts = days.slice(0, 9).map((_, place) => ({
  key: String(place),
  label: `Week of ${addDays('2026-09-07', place * 7)}`,
  size: 900 + place * 37,
  counts: Array.from({ length: 9 }, (__, week) =>
    week > 8 - place
      ? null
      : Math.round((900 + place * 37) * (week === 0 ? 1 : 0.5 / Math.sqrt(week + place / 8))),
  ),
  hrefs: Array.from({ length: 9 }, (__, week) => `#cohort-${place}-${week}`),
  lastIsIncomplete: true,
}))
const periods = Array.from({ length: 9 }, (_, week) => `Week ${week}`)

function Journeys() {
  return (
    <>
      <Columns>
        <ChartFrame title="From pricing to activation" hasTable>
          <FunnelChart
            title="From pricing to activation"
            counted={['person', 'people']}
            steps={steps}
            groups={[
              {
                key: 'all',
                label: 'All',
                steps: counts.map((count, place) => ({
                  count,
                  href: `#step-${place}`,
                  droppedHref: `#dropped-${place}`,
                  medianMs: place ? 83_000 * place : undefined,
                })),
              },
            ]}
          />
        </ChartFrame>
        <ChartFrame title="The same by device" hasTable>
          <FunnelChart
            title="Funnel by device"
            counted={['person', 'people']}
            steps={steps.slice(0, 3)}
            groups={['Desktop', 'Phone', 'Tablet'].map((label, group) => ({
              key: label,
              label,
              steps: counts.map((count, place) => ({
                count: Math.round(count / (group + 1) / (place * group + 1)),
              })),
            }))}
          />
        </ChartFrame>
      </Columns>
      <ChartFrame title="Retention" flush>
        <RetentionTriangle
          title="Retention by week"
          heads={{ cohort: 'Cohort', size: 'People' }}
          cohorts={cohorts}
          periods={periods}
        />
      </ChartFrame>
      <Columns>
        <ChartFrame title="Retention curve" hasTable>
          <RetentionCurve
            title="Retention curve"
            periods={periods}
            series={[
              { key: 'desktop', label: 'Desktop', values: [1, 0.52, 0.4, 0.33, 0.3, 0.29, 0.27, 0.26, 0.26] },
              { key: 'phone', label: 'Phone', values: [1, 0.31, 0.2, 0.16, 0.12, 0.1, 0.09, null, null] },
            ]}
          />
        </ChartFrame>
        <ChartFrame title="Time to convert" hasTable>
          <Histogram
            title="Time to convert"
            countLabel="People"
            unit="seconds"
            median={430}
            bins={[0, 60, 120, 300, 600, 1800, 3600, 86_400].map((from, place, all) => ({
              from,
              until: all[place + 1] ?? null,
              count: [120, 340, 510, 420, 210, 90, 33, 12][place] ?? 0,
              href: `#bin-${place}`,
            }))}
          />
        </ChartFrame>
      </Columns>
      <ChartFrame title="Paths" hasTable>
        <SankeyChart title="Paths from the front page" counted="sessions" nodes={nodes} links={links} />
      </ChartFrame>
    </>
  )
}

const nodes = [
  { key: '0/', label: '/', step: 0, href: '#node' },
  { key: '1/pricing', label: '/pricing', step: 1, href: '#node' },
  { key: '1/blog', label: '/blog', step: 1, droppedHref: '#left-blog' },
  { key: '1/docs', label: manyWords, step: 1 },
  { key: '2/signup', label: '/signup', step: 2 },
  { key: '2/', label: '/', step: 2 },
  { key: '2/contact', label: '<script>', step: 2 },
  { key: '3/welcome', label: '/welcome', step: 3 },
]
const links = [
  { from: '0/', to: '1/pricing', value: 2100, href: '#link' },
  { from: '0/', to: '1/blog', value: 1300 },
  { from: '0/', to: '1/docs', value: 400 },
  { from: '1/pricing', to: '2/signup', value: 1100 },
  { from: '1/pricing', to: '2/contact', value: 130 },
  { from: '1/blog', to: '2/', value: 420 },
  { from: '1/blog', to: '2/signup', value: 90 },
  { from: '1/docs', to: '2/signup', value: 220 },
  { from: '2/signup', to: '3/welcome', value: 900 },
]

function When() {
  return (
    <Columns>
      <ChartFrame title="Hours of the week" hasTable>
        <HeatCalendar
          title="Visitors by hour of the week"
          valueLabel="Visitors"
          week={Array.from({ length: 7 }, (_, day) =>
            Array.from({ length: 24 }, (__, hour) =>
              Math.round(Math.max(0, 90 * Math.sin(((hour - 6) / 24) * Math.PI * 1.4)) * (day > 4 ? 0.4 : 1)),
            ),
          )}
        />
      </ChartFrame>
      <ChartFrame title="Days" hasTable>
        <HeatCalendar
          title="Visitors by day"
          valueLabel="Visitors"
          days={lively(180, 400, 4).map((value, place) => ({
            day: addDays('2026-05-26', place),
            value,
            href: '#day',
          }))}
        />
      </ChartFrame>
    </Columns>
  )
}

type Edge = { name: string; values: readonly (number | null)[]; compared?: number[] }

const edges: Edge[] = [
  { name: 'One point', values: [42] },
  { name: 'Two points', values: [42, 7] },
  { name: 'All zero', values: [0, 0, 0, 0] },
  { name: 'Negative', values: [120, -80, 45, -160, 20] },
  { name: 'Huge', values: [1e12, 9.2e11, 1.3e12] },
  { name: 'Tiny', values: [0.0001, 0.00023, 0.00017] },
  { name: 'Holes', values: [3, null, 5, 6, null, null, 4] },
  { name: 'A thousand points', values: lively(1000, 90, 1) },
]

/** The charts of hardly any data, of far too much, and of unexpected data. */
const effects = [
  { name: 'Orders', tone: 'good', main: { value: 0.12, low: 0.04, high: 0.2 } },
  { name: 'Revenue', tone: 'unclear', main: { value: 0.03, low: -0.06, high: 0.12 } },
  { name: 'Refunds', tone: 'bad', main: { value: -0.1, low: -0.16, high: -0.04 } },
  { name: 'Returns', tone: 'unclear', main: { value: 0.08, low: -4, high: 4.2 } },
] as const
const effectScale = intervalScale(
  effects.map(({ main }) => main),
  [-0.05],
  'percent',
)

/** Intervals in the rows of a table, on one scale; the last is cut off at both ends. */
function Effects() {
  return (
    <ChartFrame title="Differences to the control">
      <IntervalAxis scale={effectScale} unit="percent" />
      {effects.map(({ name, tone, main }) => (
        <IntervalChart
          key={name}
          label={`${name}: from ${main.low} to ${main.high}`}
          interval={main}
          other={{ value: main.value - 0.02, low: main.low - 0.03, high: main.high + 0.02 }}
          scale={effectScale}
          tone={tone}
          margin={-0.05}
        />
      ))}
      <EmptyInterval scale={effectScale} />
    </ChartFrame>
  )
}

export function GalleryChartEdges() {
  return (
    <main className="mx-auto flex max-w-page flex-col gap-4 px-4 py-8 sm:px-8">
      <h1 className="text-3xl font-semibold">Edges</h1>
      <Columns>
        {edges.flatMap(({ name, values }) => {
          const chart = {
            title: name,
            size: 'sm' as const,
            points: values.map((_, place) => ({ label: `Point ${place + 1}` })),
            series: [{ key: 'one', label: 'Amount', values }],
          }
          return [
            <ChartFrame key={name} title={name} hasTable>
              <LineChart {...chart} shape="area" />
            </ChartFrame>,
            <ChartFrame key={`${name} bars`} title={`${name}, as bars`} hasTable>
              <BarChart {...chart} />
            </ChartFrame>,
          ]
        })}
        <ChartFrame
          title={manyWords}
          hasTable
          notice={{ tone: 'warning', text: 'The last hour is still arriving' }}
        >
          <BarChart
            title="Names"
            points={hostile.map((label) => ({ label }))}
            series={hostile.map((label, place) => ({
              key: label,
              label,
              values: [4, 3, 2, 1].map((one) => one * (place + 1)),
            }))}
          />
        </ChartFrame>
        <ChartFrame
          title="Nothing yet"
          hasTable
          empty={<EmptyMessage title="No events yet" body="They appear here seconds after they happen." />}
        />
        <ChartFrame title="No points" hasTable>
          <LineChart title="No points" points={[]} series={[]} />
        </ChartFrame>
        <ChartFrame title="Small ones">
          <SparkLine values={[1, 5, 3, 8, 6]} label="Rising" lastIsIncomplete />
          <SparkLine values={[1, 5, 3, 8, 6]} shape="bars" className="mt-4" />
        </ChartFrame>
      </Columns>
    </main>
  )
}
