import { readdirSync } from 'node:fs'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { BarChart } from './BarChart'
import { BarList } from './BarList'
import { FunnelChart } from './FunnelChart'
import { HeatCalendar } from './HeatCalendar'
import { Histogram } from './Histogram'
import { LineChart } from './LineChart'
import { NumberLink } from './NumberLink'
import { NumberTile } from './NumberTile'
import { PieChart } from './PieChart'
import { RetentionTriangle } from './RetentionTriangle'
import { SankeyChart } from './SankeyChart'
import { StackedLifecycle } from './StackedLifecycle'
import { Stat } from './Stat'
import { WorldMap } from './WorldMap'

const people = '/studio/acme/people/behind?question=q&point=p'
const points = [{ label: '1 Nov' }]
const series = [{ key: 'a', label: 'A', values: [3], hrefs: [people] }]

/** Each chart with one number that leads to people. The menu of numbers opens at such links. */
const charts: Readonly<Record<string, ReactElement>> = {
  BarChart: <BarChart title="A" points={points} series={series} />,
  BarList: (
    <BarList
      title="A"
      heads={{ label: 'A', value: 'B' }}
      rows={[{ key: 'a', label: 'A', value: 3, href: '/filter', valueHref: people }]}
    />
  ),
  FunnelChart: (
    <FunnelChart
      title="A"
      counted={['person', 'people']}
      steps={[{ key: 'a', label: 'A' }]}
      groups={[{ key: 'a', label: 'A', steps: [{ count: 3, href: people }] }]}
    />
  ),
  HeatCalendar: (
    <HeatCalendar title="A" valueLabel="A" days={[{ day: '2026-11-01', value: 3, href: people }]} />
  ),
  Histogram: (
    <Histogram
      title="A"
      unit="number"
      countLabel="A"
      bins={[{ from: 0, until: 1, count: 3, href: people }]}
    />
  ),
  LineChart: <LineChart title="A" points={points} series={series} />,
  NumberLink: (
    <NumberLink href={people} label="A">
      3
    </NumberLink>
  ),
  NumberTile: <NumberTile label="A" value={3} href="/chart" valueHref={people} />,
  PieChart: <PieChart title="A" slices={[{ key: 'a', label: 'A', value: 3, href: people }]} />,
  RetentionTriangle: (
    <RetentionTriangle
      title="A"
      heads={{ cohort: 'A', size: 'B' }}
      periods={['Day 0']}
      cohorts={[{ key: 'a', label: 'A', size: 3, counts: [3], hrefs: [people] }]}
    />
  ),
  SankeyChart: (
    <SankeyChart
      title="A"
      counted="sessions"
      nodes={[
        { key: 'a', label: 'A', step: 0, href: people },
        { key: 'b', label: 'B', step: 1 },
      ]}
      links={[{ from: 'a', to: 'b', value: 3, href: people }]}
    />
  ),
  StackedLifecycle: <StackedLifecycle title="A" points={points} above={series} below={[]} />,
  Stat: <Stat label="A" value="3" href={people} />,
  WorldMap: <WorldMap title="A" valueLabel="A" places={[{ code: 'DE', value: 3, href: people }]} />,
}

/** Files that draw no number of persons, each with the reason. */
const without: Readonly<Record<string, string>> = {
  ChartExport: 'saves a chart',
  ChartFrame: 'surrounds a chart',
  ColourMark: 'the colour of a series',
  IntervalChart: 'an estimate with its interval, which is a number of no persons',
  RetentionCurve: 'means of several cohorts; the cells of the triangle below have the people',
  SparkLine: 'the course of a number that stands beside it',
}

test('every chart leads from its numbers to people, or says why it does not', () => {
  const files = readdirSync(import.meta.dirname)
    .filter((name) => /^[A-Z]\w+\.tsx$/.test(name))
    .map((name) => name.replace('.tsx', ''))
  expect(files.toSorted()).toEqual([...Object.keys(charts), ...Object.keys(without)].toSorted())
})

test.each(Object.entries(charts))('%s has the address of the people behind its number', (_, chart) =>
  expect(renderToStaticMarkup(chart)).toContain(`href="${people.replaceAll('&', '&amp;')}"`),
)
