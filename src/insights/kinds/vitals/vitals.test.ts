import { expect, test } from 'vitest'
import { anEngine } from '#test/product/test-engine'
import { vitalRatingOf } from '#insights/compile/web-vitals'
import type { VitalsAnswer } from './answer'

const testEngine = anEngine()

const measured = (page: string, lcp: number, cls: number) => ({
  person: 'p1',
  event: '$web_vitals',
  at: 0,
  columns: { path: page },
  properties: { $web_vitals_LCP_value: String(lcp), $web_vitals_CLS_value: String(cls) },
})

test('three of four visitors saw it so or better, on the site and on each page', async () => {
  const project = await testEngine.addProject([
    measured('/', 1000, 0.01),
    measured('/', 2000, 0.01),
    measured('/', 3000, 0.3),
    measured('/slow', 5000, 0.02),
    { ...measured('/', 0, 0), properties: {} },
  ])

  const { site, pages } = await testEngine.ask<VitalsAnswer>(project, {
    kind: 'vitals',
    period: '2026-03-01..2026-03-31',
  })

  expect(site.LCP).toEqual({ p75: 3500, measured: 4, good: 2, poor: 1 })
  expect(site.CLS).toEqual({ p75: expect.closeTo(0.09), measured: 4, good: 3, poor: 1 })
  expect(site.INP).toEqual({ p75: null, measured: 0, good: 0, poor: 0 })
  expect(pages.map(({ page, vital }) => [page, vital.p75, vital.measured])).toEqual([
    ['/', 2500, 3],
    ['/slow', 5000, 1],
  ])

  const groups = { pageGroups: ['/*'] }
  const query = { kind: 'vitals', period: '2026-03-01..2026-03-31' }
  const grouped = await testEngine.ask<VitalsAnswer>(project, query, {}, groups)
  expect(grouped.pages.map(({ page, vital }) => [page, vital.measured])).toEqual([['/*', 4]])
  const single = await testEngine.ask<VitalsAnswer>(project, { ...query, groupPages: false }, {}, groups)
  expect(single.pages).toEqual(pages)
})

test.each([
  ['LCP', 2500, 'good'],
  ['LCP', 2501, 'middling'],
  ['LCP', 4001, 'poor'],
  ['CLS', 0.1, 'good'],
  ['CLS', 0.26, 'poor'],
] as const)('%s of %d is %s', (name, value, verdict) => expect(vitalRatingOf(name, value)).toBe(verdict))
