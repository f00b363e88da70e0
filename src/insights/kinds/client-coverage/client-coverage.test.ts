import { expect, test } from 'vitest'
import { anEngine, type TestEvent } from '#test/product/test-engine'

const testEngine = anEngine()

const tells = (
  person: string,
  event: string,
  more: Partial<TestEvent['columns']> = {},
  flag = 'headline',
): TestEvent => ({
  person,
  event,
  at: 1,
  columns: { lib: 'tilth-site', ...more },
  properties: { $feature_flag: flag, $feature_flag_response: 'b' },
})

const query = { kind: 'client-coverage', period: '2026-03-02..2026-03-02' }

test('only some visitors who were served a variant have a browser that reports it', async () => {
  const project = await testEngine.addProject([
    tells('ana', '$feature_flag_called'),
    tells('ana', '$feature_flag_seen'),
    tells('ben', '$feature_flag_called'),
    // served by an SDK, not by the site
    tells('cleo', '$feature_flag_called', { lib: 'web' }),
    tells('cleo', '$feature_flag_seen'),
    tells('robot', '$feature_flag_called', { traffic: 'bot' }),
    tells('dan', '$feature_flag_called', {}, 'other'),
  ])
  expect(await testEngine.ask(project, query)).toEqual({ served: 3, seen: 1 })
  expect(await testEngine.ask(project, { ...query, flag: 'headline' })).toEqual({ served: 2, seen: 1 })
})
