import { expect, test } from 'vitest'
import { anEngine, type TestEvent } from '#test/product/test-engine'
import type { TrialAnswer } from '#insights/kinds/trial/trial'

const testEngine = anEngine()

const shown = (person: string, variant: string, at: number, flag = 'post-1-1'): TestEvent => ({
  person,
  event: '$feature_flag_called',
  at,
  properties: { $feature_flag: flag, $feature_flag_response: variant },
})
const opens = (person: string, at: number, path = '/blog/a'): TestEvent => ({
  person,
  event: '$pageview',
  at,
  columns: { path },
})
const reads = (person: string, at: number, depth = 90): TestEvent => ({
  person,
  event: '$engagement',
  at,
  columns: { path: '/blog/a', scroll_depth: depth },
})

const day = 24 * 60
const query = {
  kind: 'trial',
  period: '2026-03-02..2026-03-31',
  flag: 'post-1-1',
  variants: ['a', 'b'],
  pages: [['/blog/a', '/blog/old-a']],
}

/** The counts after a single person was shown "a" at the beginning, as [shown, clicks, reads]. */
test.each<[string, TestEvent[], [number, number, number]]>([
  ['is gone again', [], [1, 0, 0]],
  ['opens it', [opens('ana', 1)], [1, 1, 0]],
  ['opens it by its old address', [opens('ana', 1, '/blog/old-a')], [1, 1, 0]],
  ['opens something else', [opens('ana', 1, '/blog/b')], [1, 0, 0]],
  ['had opened it before', [opens('ana', -1)], [1, 0, 0]],
  ['opens it a week after', [opens('ana', 7 * day)], [1, 1, 0]],
  ['opens it later than that', [opens('ana', 7 * day + 1)], [1, 0, 0]],
  ['opens it and reads it through', [opens('ana', 1), reads('ana', 2)], [1, 1, 1]],
  ['opens it and reads three quarters', [opens('ana', 1), reads('ana', 2, 75)], [1, 1, 1]],
  ['opens it and reads less', [opens('ana', 1), reads('ana', 2, 74)], [1, 1, 0]],
  ['reads on what was open before', [opens('ana', -1), reads('ana', 2)], [1, 0, 0]],
  ['is shown it again', [shown('ana', 'a', 5), opens('ana', 6)], [1, 1, 0]],
  ['is shown another trial', [shown('ana', 'b', 5, 'post-2-1'), opens('ana', 6)], [1, 1, 0]],
])('who was shown it and %s', async (_, story, [persons, clicks, through]) => {
  const project = await testEngine.addProject([shown('ana', 'a', 0), ...story])
  const { variants } = await testEngine.ask<TrialAnswer>(project, query)
  expect(variants).toEqual([
    { variant: 'a', shown: persons, clicks, reads: through },
    { variant: 'b', shown: 0, clicks: 0, reads: 0 },
  ])
})

test('a reader who was shown both variants is excluded and counted as such', async () => {
  const project = await testEngine.addProject([
    shown('ana', 'a', 0),
    opens('ana', 1),
    shown('ana', 'b', 2),
    shown('ben', 'b', 0),
    opens('ben', 1),
    opens('cleo', 1),
  ])
  expect(await testEngine.ask<TrialAnswer>(project, query)).toEqual({
    variants: [
      { variant: 'a', shown: 0, clicks: 0, reads: 0 },
      { variant: 'b', shown: 1, clicks: 1, reads: 0 },
    ],
    sawSeveral: 1,
  })
})

test('robots are shown many things, and count for nothing', async () => {
  const robot: TestEvent = { ...shown('robot', 'a', 0), columns: { traffic: 'bot' } }
  const project = await testEngine.addProject([robot, shown('ana', 'a', 0)])
  const { variants } = await testEngine.ask<TrialAnswer>(project, query)
  expect(variants[0]).toEqual({ variant: 'a', shown: 1, clicks: 0, reads: 0 })
})
