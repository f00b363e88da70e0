import { expect, test } from 'vitest'
import { aSetWorld, noon } from '#test/product/ingest-fixture'
import { Exposures } from './exposures'
import type { Visit } from './visit'

const here = 'https://garden.example/blog'

const visitOf = (decisions: Visit['decisions'], more: Partial<Visit> = {}): Visit => ({
  projectId: 1,
  visitor: 'ana',
  isCookieless: false,
  decisions,
  payloads: {},
  withheld: [],
  isTried: false,
  ...more,
})

test('what a page shows is told once a day, for each visitor and each value', () => {
  const world = aSetWorld(noon)
  const exposures = new Exposures(world)
  const told = (uses: string[], visit: Visit) =>
    exposures
      .eventsFor(uses, visit, here)
      .map(({ properties }) => [properties['$feature_flag'], properties['$feature_flag_response']])
  const ana = visitOf({ headline: 'b', cta: false })

  expect(told(['headline', 'cta'], ana)).toEqual([
    ['headline', 'b'],
    ['cta', false],
  ])
  expect(told(['headline', 'cta'], ana)).toEqual([])
  expect(told(['headline'], visitOf({ headline: 'a' }))).toEqual([['headline', 'a']])
  expect(told(['headline'], { ...ana, visitor: 'ben' })).toEqual([['headline', 'b']])
  expect(told(['headline'], { ...ana, projectId: 2 })).toEqual([['headline', 'b']])

  world.set('2026-03-03T11:59:00.000Z')
  expect(told(['headline'], ana)).toEqual([])
  world.set('2026-03-03T12:01:00.000Z')
  expect(told(['headline'], ana)).toEqual([['headline', 'b']])
})

test('what there is not, or could not be decided, was not shown', () => {
  const exposures = new Exposures(aSetWorld(noon))
  expect(exposures.eventsFor(['unknown', 'constructor'], visitOf({}), here)).toEqual([])
})

test('it is an event as an SDK would send it, of the visitor', () => {
  const [event] = new Exposures(aSetWorld(noon)).eventsFor(['cta'], visitOf({ cta: true }), here)
  expect(event).toMatchObject({
    name: '$feature_flag_called',
    distinctId: 'ana',
    properties: { $feature_flag: 'cta', $feature_flag_response: true, $lib: 'tilth-site' },
  })
})
