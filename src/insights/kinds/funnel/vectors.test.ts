import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { anEngine, beginning, type TestEvent } from '#test/product/test-engine'
import { sql, string, uint } from '#engine/sql'
import type { FunnelAnswer } from './answer'

interface Case {
  id: string
  order: string
  steps: string[]
  window_seconds: number
  persons: Record<string, [number | string, string][]>
  expected_counts: number[]
}

interface CountCase extends Case {
  exclusions: { event: string; from_step: number; to_step: number }[]
}

interface TimeCase extends Case {
  average_conversion_time_s: (number | null)[]
  project_time_zones?: string[]
}

interface EngineCase {
  id: string
  window: number
  modes: string[]
  steps: string[]
  events: [number, string][]
  expected: number
}

interface Vectors {
  posthog: CountCase[]
  conversion_time_cases: TimeCase[]
  windowfunnel: EngineCase[]
}

const file = new URL('../../../../test/vectors/funnels.json', import.meta.url)
// a file of ours, whose shape is above
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors

const testEngine = anEngine()

const told = ({ persons }: Case): TestEvent[] =>
  Object.entries(persons).flatMap(([person, events]) =>
    events.map(([at, event]) => ({ person, event, at: typeof at === 'string' ? at : at / 60 })),
  )

const asked = (vector: Case, period: string) => ({
  kind: 'funnel',
  period,
  steps: vector.steps.map((event) => ({ event: event === '*' ? null : event })),
  order: vector.order,
  window: { amount: vector.window_seconds, unit: 'second' },
})

describe('what the field agrees on', () => {
  test.each(vectors.posthog)('$id', async (vector) => {
    const project = await testEngine.addProject(told(vector))
    const exclusions = vector.exclusions.map(({ event, from_step, to_step }) => ({
      event,
      from: from_step,
      to: to_step,
    }))
    const until = new Date(beginning.getTime() + 30 * 86_400_000).toISOString()
    const query = { ...asked(vector, `${beginning.toISOString()}..${until}`), exclusions }

    const { steps } = await testEngine.ask<FunnelAnswer>(project, query)

    expect(steps.map(({ persons }) => persons)).toEqual(vector.expected_counts)
  })
})

describe('how long it took', () => {
  const cases = vectors.conversion_time_cases.flatMap((vector) =>
    (vector.project_time_zones ?? ['UTC']).map((timeZone) => ({ ...vector, timeZone })),
  )
  test.each(cases)('$id in $timeZone', async ({ timeZone, ...vector }) => {
    const project = await testEngine.addProject(told(vector))

    const { steps } = await testEngine.ask<FunnelAnswer>(project, asked(vector, '2021-01-01..2024-12-31'), {
      timeZone,
    })

    expect(steps.map(({ persons }) => persons)).toEqual(vector.expected_counts)
    expect(steps.map(({ averageSeconds }) => averageSeconds)).toEqual(vector.average_conversion_time_s)
  })
})

describe("the engine's own function", () => {
  const usable = vectors.windowfunnel.filter(({ modes }) => modes.join() === 'strict_once')
  test.each(usable)('$id comes as far as ours', async ({ steps, events, window, expected }) => {
    const project = await testEngine.addProject(
      events.map(([seconds, event]) => ({ person: 'ana', event, at: seconds / 60 })),
    )
    const vector = { order: 'ordered', steps, window_seconds: window }
    const days = { id: '', persons: {}, expected_counts: [] }

    const [row] = await testEngine.engine().query<{ steps: number }>(sql`
      select windowFunnel(${uint(window)}, 'strict_once')(
        toDateTime(timestamp), ${sql.join(steps.map((step) => sql`event = ${string(step)}`))}) as steps
      from events
      where project_id = ${uint(project)}`)
    const answer = await testEngine.ask<FunnelAnswer>(
      project,
      asked({ ...vector, ...days }, '2026-03-01..2026-03-31'),
    )

    expect(row?.steps).toBe(expected)
    expect(answer.steps.filter(({ persons }) => persons === 1)).toHaveLength(expected)
  })
})
