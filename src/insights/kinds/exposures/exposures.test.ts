import { expect, test } from 'vitest'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import type { ExposuresAnswer } from './answer'

const testEngine = anEngine()

const asked = (flag: string, person: string, value: string, at: string, lib = 'web'): TestEvent => ({
  person,
  event: '$feature_flag_called',
  at,
  columns: { lib },
  properties: { $feature_flag: flag, $feature_flag_response: value },
})

test('persons by value in the period, and first and last of all times', async () => {
  const project = await testEngine.addProject([
    asked('headline', 'ana', 'control', '2026-01-05T10:00:00Z'),
    asked('headline', 'ana', 'control', '2026-03-02T10:00:00Z'),
    asked('headline', 'ana', 'bold', '2026-03-03T10:00:00Z'),
    asked('headline', 'ben', 'bold', '2026-03-04T10:00:00Z', 'posthog-node'),
    asked('forgotten', 'ben', 'true', '2026-01-04T10:00:00Z'),
    asked('survey-targeting-1a2b', 'ben', 'true', '2026-03-04T10:00:00Z'),
    { person: 'cleo', event: '$pageview', at: '2026-03-04T10:00:00Z' },
  ])

  const query = { kind: 'exposures', period: '2026-03-01..2026-03-31' }
  const { flags } = await testEngine.ask<ExposuresAnswer>(project, query)

  expect(flags).toEqual([
    {
      flag: 'forgotten',
      times: 0,
      persons: 0,
      values: [],
      firstAsked: '2026-01-04T10:00:00.000Z',
      lastAsked: '2026-01-04T10:00:00.000Z',
      askedBy: [{ library: 'web', times: 0, lastAsked: '2026-01-04T10:00:00.000Z' }],
    },
    {
      flag: 'headline',
      times: 3,
      persons: 2,
      values: [
        { value: 'bold', times: 2, persons: 2 },
        { value: 'control', times: 1, persons: 1 },
      ],
      firstAsked: '2026-01-05T10:00:00.000Z',
      lastAsked: '2026-03-04T10:00:00.000Z',
      askedBy: [
        { library: 'posthog-node', times: 1, lastAsked: '2026-03-04T10:00:00.000Z' },
        { library: 'web', times: 2, lastAsked: '2026-03-03T10:00:00.000Z' },
      ],
    },
  ])
  const one = await testEngine.ask<ExposuresAnswer>(project, { ...query, flags: ['forgotten', 'unknown'] })
  expect(one.flags.map(({ flag }) => flag)).toEqual(['forgotten'])
})
