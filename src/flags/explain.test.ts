import { expect, test } from 'vitest'
import { aFlag, aSet, inProduction, somebody, withPersonProperties } from '#test/random/random-flags'
import { bucketOf, holdoutBucketOf } from './bucket'
import { compileFlags } from './compile'
import { explain } from './explain'
import { type Condition, type Flag, mainEnvironment } from './flag'

const isPro: Condition = { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }
const asksBase: Condition = { type: 'flag', flag: 'base', value: true }

const explained = (flag: Flag, asked: Parameters<typeof somebody>[0] = {}, others: Flag[] = []) =>
  explain(compileFlags([flag, ...others], mainEnvironment), flag.key, somebody(asked))

test('every set, every condition, the bucket and the way through them', () => {
  const flag = aFlag({
    key: 'f',
    environments: {
      production: {
        isOn: true,
        holdout: { id: 3, percentage: 0 },
        conditions: [
          aSet({ conditions: [isPro] }),
          aSet({ conditions: [asksBase], percentage: 0 }),
          aSet(),
          aSet(),
        ],
        payloads: {},
      },
    },
  })
  const found = explained(flag, withPersonProperties({ plan: 'free' }), [aFlag({ key: 'base' })])
  const bucket = bucketOf('f', 'ana')
  const at = `${(bucket * 100).toFixed(2)}%`
  expect(found).toMatchObject({
    decision: { value: true, reason: { code: 'condition_match', condition: 2 } },
    bucketedBy: 'ana',
    bucket,
    variantBucket: undefined,
    holdoutBucket: holdoutBucketOf('ana'),
    dependencies: { base: { value: true } },
    sets: [
      {
        isReached: true,
        holds: false,
        isInPercentage: true,
        conditions: [{ condition: isPro, answer: false }],
      },
      {
        isReached: true,
        holds: true,
        isInPercentage: false,
        conditions: [{ condition: asksBase, answer: true }],
      },
      { isReached: true, holds: true, isInPercentage: true, conditions: [] },
      { isReached: false },
    ],
  })
  expect(found?.steps).toEqual([
    `They are counted by their own id, which for f is ${at} of the way from 0 to 100%.`,
    `Holdout 3 takes the first 0%; they are at ${(holdoutBucketOf('ana') * 100).toFixed(2)}%, so they are not held out.`,
    'Set 1 does not match.',
    `Set 2 matches; its rollout is 0%; the bucket is ${at}, so the visitor is out.`,
    'Set 3 matches, with a rollout of 100%.',
    'They get on. A condition set matched.',
  ])
})

test.each<[string, Flag, Parameters<typeof somebody>[0], string[]]>([
  [
    'off',
    aFlag({ key: 'f', environments: {} }),
    {},
    ['The flag is off in this environment.', 'They get off. The flag is off in this environment.'],
  ],
  [
    'without a group',
    aFlag({ key: 'f', bucketBy: { by: 'group', group: 'company' } }),
    {},
    [
      'There is no company to count by.',
      'They get off. The visitor has no group of the type this flag is bucketed by.',
    ],
  ],
  [
    'as before they signed in',
    aFlag({ key: 'f', keepsThroughSignIn: true }),
    { keptIds: { f: 'before' } },
    [
      `They are counted as “before”, which for f is ${(bucketOf('f', 'before') * 100).toFixed(2)}% of the way from 0 to 100%.`,
      'Set 1 matches, with a rollout of 100%.',
      'They get on. A condition set matched.',
    ],
  ],
  [
    'nobody knows',
    aFlag({ key: 'f', environments: inProduction({ conditions: [isPro] }) }),
    { person: { properties: {}, isAll: false } },
    [
      `They are counted by their own id, which for f is ${(bucketOf('f', 'ana') * 100).toFixed(2)}% of the way from 0 to 100%.`,
      'Set 1: its data could not be loaded.',
      'They get off. Data for the evaluation could not be loaded.',
    ],
  ],
])('%s', (_name, flag, overrides, steps) => expect(explained(flag, overrides)?.steps).toEqual(steps))

test('after the last that fits, none is reached', () => {
  const flag = aFlag({ key: 'f', environments: inProduction({ percentage: 0, isLast: true }, {}) })
  expect(explained(flag)?.sets.map(({ isReached }) => isReached)).toEqual([true, false])
})

test('a flag that is not there has nothing to explain', () => {
  expect(explain(compileFlags([], mainEnvironment), 'f', somebody())).toBeUndefined()
})
