import { expect, test } from 'vitest'
import { anIngestContext, anEnvelope, expectKept, withProperties } from '#test/product/ingest-fixture'
import { columnOf, eventLabel, propertyLabel, standardEvents, standardProperties } from './taxonomy'

test('each column is the home of one property', () => {
  const columns = Object.keys(standardProperties).flatMap((name) => columnOf(name) ?? [])
  expect(new Set(columns).size).toBe(columns.length)
})

test('every column that prepare fills has a property to ask for it by', async () => {
  const event = withProperties({
    $current_url:
      'https://example.com/a?utm_source=a&utm_medium=b&utm_campaign=c&utm_content=d&utm_term=e&gclid=f',
    $referrer: 'https://www.bing.com/',
    title: 'A page',
    $screen_width: 1280,
    $screen_height: 720,
    $browser_language: 'de-DE',
    $lib_version: '1',
    $revenue: 3,
    $currency: 'EUR',
    $engaged_ms: 7,
    $scroll_depth: 8,
    $elements_chain: 'a:nth-child="1"',
  })
  const filled = Object.keys(expectKept(event, anEnvelope(), await anIngestContext()).columns).sort()
  const known = Object.keys(standardProperties).flatMap((name) => columnOf(name) ?? [])
  expect(filled).toEqual([...known].sort())
})

test.each([
  ['$pageview', 'Page view'],
  ['signup', 'signup'],
  ['constructor', 'constructor'],
])('the event %s is called "%s"', (name, label) => expect(eventLabel(name)).toBe(label))

test.each([
  ['$browser', 'Browser'],
  ['$feature/new-cta', 'Flag: new-cta'],
  ['$initial_utm_source', 'Initial UTM source'],
  ['$initial_browser', 'Initial browser'],
  ['$initial_channel_type', 'First-touch channel'],
  ['$initial_source', 'First-touch source'],
  ['$initial_whatever', 'Initial whatever'],
  ['plan', 'plan'],
])('the property %s is called "%s"', (name, label) => expect(propertyLabel(name)).toBe(label))

test('no two events go by the same name', () => {
  const labels = Object.values(standardEvents).map(({ label }) => label)
  expect(new Set(labels).size).toBe(labels.length)
})
