import { expect, test } from 'vitest'
import { demoEvents } from '#test/product/demo-events'
import { openTestProduct, requireDone } from '#test/product/fixture'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import { operator } from '#projects/access'
import type { DemoEvent } from './event'
import { demoExperiments } from './experiments'
import { addDemoContent } from './furnishing'
import { dayMs, story } from './story'

const engine = anEngine()

const counted = new Set([
  '$feature_flag_called',
  '$pageview',
  'signup',
  'activated',
  'subscribed',
  'card moved',
])

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The events that experiments count, each of the person that its visitor turns out to be. */
function testEventsOf(events: readonly DemoEvent[]): TestEvent[] {
  const persons = new Map(
    events.flatMap(({ event, distinct_id, properties }) =>
      event === '$identify' ? [[textOf(properties['$anon_distinct_id']), distinct_id] as const] : [],
    ),
  )
  return events
    .filter(({ event }) => counted.has(event))
    .map(({ event, distinct_id, timestamp, properties }) => ({
      person: persons.get(distinct_id) ?? distinct_id,
      event,
      at: timestamp,
      properties: Object.fromEntries(
        ['$feature_flag', '$feature_flag_response', '$current_url'].flatMap((key) =>
          properties[key] === undefined ? [] : [[key, textOf(properties[key])]],
        ),
      ),
    }))
}

test('the demo’s experiments have a winner, no difference worth the wait, and a split that is not right', async () => {
  const { product, world, aProject } = await openTestProduct({ engine: engine.engine() })
  const project = await aProject()
  const you = operator()
  const events = demoEvents({ events: 200_000 })
  const begin = new Date(
    Date.parse(events[0]?.timestamp ?? '') - (Date.parse(events[0]?.timestamp ?? '') % dayMs),
  )
  const end = begin.getTime() + story.days * dayMs
  world.advance(`${Math.ceil((end - world.now().getTime()) / dayMs)} days`)
  expect(await engine.addProject(testEventsOf(events))).toBe(project.id)
  await addDemoContent(product, project, begin, you)
  const sentences = new Map<string, string>()
  for (const { id, flag } of await product.experiments.list(project.id, you)) {
    const { result } = requireDone(await product.experiments.results.result(project.id, id, you))
    sentences.set(flag, result.sentence)
  }
  expect(demoExperiments.map(({ input }) => sentences.get(input.flag))).toEqual([
    expect.stringMatching(/^Ship “outcome”: Sign-ups \+\d+% .*, and every guardrail is within its margin\.$/),
    expect.stringMatching(
      /^(?:No variant is clearly better or worse yet\.|Cannot tell: no variant is clearly better|Stop: no variant differs)/,
    ),
    expect.stringMatching(/^Do not decide yet: the variants did not get the configured shares/),
  ])
})
