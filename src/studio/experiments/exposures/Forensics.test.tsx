import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { exposureReport } from '#experiments/results/exposures'
import type { ExposureCell, ExposureDimension } from '#insights/kinds/experiment-exposures/answer'
import { variantColours } from '#studio/flags/variant-colour'
import { Forensics } from './Forensics'

const colourOf = variantColours(['control', 'test'])

const units = (variant: string, count: number, library: string): ExposureCell[] =>
  (
    [
      ['all', ''],
      ['library', library],
    ] as [ExposureDimension, string][]
  ).map(([dimension, value]) => ({
    dimension,
    value,
    variant,
    phase: 0,
    state: 'counted',
    units: count,
    served: count,
    viewed: 0,
    converted: 7,
  }))

const report = exposureReport(
  ['control', 'test'],
  [{ startedAt: new Date('2026-03-02'), weights: { control: 50, test: 50 }, hasFixedVariants: false }],
  {
    cells: [
      ...units('control', 5000, 'web'),
      ...units('test', 5000, 'web'),
      ...units('control', 40, 'posthog-node'),
      ...units('test', 900, 'posthog-node'),
    ],
    several: [{ seen: ['control', 'test'], cause: 'merge', units: 3 }],
    onlyBefore: 2,
    onlyOutside: 0,
  },
)

const metrics = [
  { id: 'm1', name: 'Errors', role: 'guardrail' },
  { id: 'm2', name: 'Orders', role: 'primary' },
] as const

const drawn = (hasPersons: boolean, metric?: string) =>
  renderToStaticMarkup(
    <Forensics
      slug="acme"
      colourOf={colourOf}
      id="e1"
      report={report}
      dimension="library"
      metrics={metrics}
      metric={metric}
      hasPersons={hasPersons}
    />,
  )

test('a group that causes a mismatch stands with its part, and its numbers lead to the people', () => {
  const html = drawn(true)
  expect(report.sentence).toContain('posthog-node')
  const point = encodeURIComponent(
    JSON.stringify({ state: 'counted', variant: 'test', dimension: 'library', value: 'posthog-node' }),
  )
  expect(html).toContain(`/studio/acme/experiments/e1/exposures/people?point=${point}`)
  const pointsIn = [...html.matchAll(/people\?point=([^"]*)"/g)].map(([, text = '']) =>
    decodeURIComponent(text),
  )
  expect(pointsIn).toContain(JSON.stringify({ state: 'counted', variant: 'control', served: true }))
  expect(html).toContain('Two ids were merged'.toLowerCase())
  expect(html).toContain('only before their exposure')
})

test('units that are no people lead to none', () => expect(drawn(false)).not.toContain('exposures/people'))

test('the metric that counts as conversion is chosen, and goes with the numbers', () => {
  expect(drawn(true)).toMatch(/aria-current="page"[^>]*>Orders/)
  const html = drawn(true, 'm1')
  expect(html).toMatch(/aria-current="page"[^>]*>Errors/)
  expect(html).toContain(encodeURIComponent('"converted":true,"metric":"m1"'))
  expect(html).toContain('/studio/acme/experiments/e1/exposures?by=browser&amp;metric=m1')
})

test('units of several variants that count for the first one are not left out', () => {
  const html = renderToStaticMarkup(
    <Forensics
      slug="acme"
      colourOf={colourOf}
      id="e1"
      report={report}
      dimension="library"
      metrics={metrics}
      metric={undefined}
      hasPersons
      keepsFirst
    />,
  )
  expect(html).toContain('They count for the variant that they saw first.')
  expect(html).toContain('No unit is left out')
  expect(html).toContain('Two ids were merged: a log-in after the exposure')
})

test('what is not in the table is said to be missing', () => {
  const groupsLeftOut = [{ dimension: 'library' as const, values: 12, units: 1340 }]
  const html = renderToStaticMarkup(
    <Forensics
      slug="acme"
      colourOf={colourOf}
      id="e1"
      report={{ ...report, groupsLeftOut }}
      dimension="library"
      metrics={metrics}
      metric={undefined}
      hasPersons
    />,
  )
  expect(html).toContain('12 more with 1,340 units in all')
  expect(drawn(true)).not.toContain('in all')
})
