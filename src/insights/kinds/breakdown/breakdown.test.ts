import { expect, test } from 'vitest'
import { personsBehind } from '#test/product/persons-behind'
import { anEngine } from '#test/product/test-engine'
import vectors from '#test/vectors/sessions.json'
import type { BreakdownAnswer } from './answer'

const testEngine = anEngine()

const march = { period: '2026-03-01..2026-03-31' }

const published = vectors.cases.find(({ id }) => id === 'posthog-bounce-by-page')

/** One session for each person: the published case of bounces by page. */
const views = Object.entries(published?.persons ?? {}).flatMap(([person, paths]) =>
  paths.map((path, i) => ({ person, event: '$pageview', at: i, session: person, columns: { path } })),
)

test('a page’s share of bounces is of the visits that began there', async () => {
  const project = await testEngine.addProject(views)
  const answer = await testEngine.ask<BreakdownAnswer>(project, {
    kind: 'breakdown',
    dimensions: ['page'],
    details: true,
    ...march,
  })
  const rows = answer.panels[0]?.rows.map(({ value, visitors, events, reading }) => [
    value,
    visitors,
    events,
    reading?.bounceRate,
  ])
  expect(rows).toEqual(
    Object.entries(published?.expected_rows ?? {}).map(
      ([page, { visitors, views: seen, bounce_rate: rate }]) => [
        page,
        visitors,
        seen,
        rate === null ? null : expect.closeTo(rate, 8),
      ],
    ),
  )
  expect(rows).toHaveLength(3)
})

test('a country is found by its name, and pages are sorted by how they were read', async () => {
  const project = await testEngine.addProject([
    { person: 'ana', event: '$pageview', at: 0, session: 'one', columns: { path: '/a', country: 'DE' } },
    { person: 'ben', event: '$pageview', at: 0, session: 'two', columns: { path: '/b', country: 'FR' } },
    {
      person: 'ben',
      event: '$engagement',
      at: 1,
      session: 'two',
      columns: { path: '/b', country: 'FR', engaged_ms: 7000, scroll_depth: 40 },
    },
  ])
  const rows = async (query: object) => {
    const asked = { kind: 'breakdown', ...march, ...query }
    return (await testEngine.ask<BreakdownAnswer>(project, asked)).panels[0]?.rows.map(({ value }) => value)
  }
  expect(await rows({ dimensions: ['country'], search: 'germ' })).toEqual(['DE'])
  const byTime = { dimensions: ['page'], sort: { by: 'duration' } }
  expect(await rows(byTime)).toEqual(['/b', '/a'])
  expect(await rows({ ...byTime, sort: { by: 'scroll', direction: 'ascending' } })).toEqual(['/b', '/a'])
  await expect(rows({ dimensions: ['page'], sort: { by: 'visits' } })).rejects.toThrow(
    'Sort pages by one of: value, visitors, events, conversionRate, bounceRate, duration, scroll.',
  )
})

test('several dimensions are told apart', async () => {
  const project = await testEngine.addProject(
    views.map((event) => ({
      ...event,
      columns: { ...event.columns, country: event.person === 'p3' ? 'FR' : 'DE', browser: 'Firefox' },
    })),
  )
  const answer = await testEngine.ask<BreakdownAnswer>(project, {
    kind: 'breakdown',
    dimensions: ['entry', 'country', 'browser', 'exit', 'utm_source'],
    ...march,
    compare: 'previous',
  })
  const told = answer.panels.map(({ dimension, rows }) => [
    dimension,
    rows.map(({ value, visitors, compared }) => [value, visitors, compared?.visitors]),
  ])
  expect(told).toEqual([
    ['entry', [['/a', 3, 0]]],
    [
      'country',
      [
        ['DE', 2, 0],
        ['FR', 1, 0],
      ],
    ],
    ['browser', [['Firefox', 3, 0]]],
    [
      'exit',
      [
        ['/c', 2, 0],
        ['/a', 1, 0],
      ],
    ],
    ['utm_source', [[null, 3, 0]]],
  ])
})

test('the persons of a row are the visitors that it counts', async () => {
  const story = [
    { person: 'ana', event: '$pageview', at: 0, session: 'one', columns: { path: '/a', country: 'DE' } },
    { person: 'ana', event: '$pageview', at: 1, session: 'one', columns: { path: '/b', country: 'DE' } },
    { person: 'ben', event: '$pageview', at: 0, session: 'two', columns: { path: '/b', country: 'FR' } },
    { person: 'cem', event: '$pageview', at: 0, session: 'three', columns: { path: '/b' } },
  ]
  const project = await testEngine.addProject(story)
  const query = { kind: 'breakdown', dimensions: ['page', 'country'], ...march }
  const { panels } = await testEngine.ask<BreakdownAnswer>(project, query)
  const behind = (point: object) => personsBehind(testEngine, { project, story, question: query }, point)
  for (const { dimension, rows } of panels)
    for (const { value, visitors } of rows)
      expect(await behind({ dimension, value }), `${dimension} ${value}`).toHaveLength(visitors)
  expect(await behind({ dimension: 'country', value: null })).toEqual(['cem'])
  expect(await behind({ dimension: 'page', value: '/b' })).toEqual(['ana', 'ben', 'cem'])
})
