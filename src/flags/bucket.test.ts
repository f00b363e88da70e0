import { describe, expect, test } from 'vitest'
import { aFlag, inProduction, somebody } from '#test/random/random-flags'
import consistency from '#test/vectors/flag-consistency.json' with { type: 'json' }
import vectors from '#test/vectors/flag-vectors.json' with { type: 'json' }
import { bucketOf, holdoutBucketOf, isWithinShare, placeAmong, sharesOf, variantBucketOf } from './bucket'
import { compileFlags } from './compile'
import { decideOne } from './internal/decide'
import { mainEnvironment } from './flag'

describe('PostHog’s own numbers', () => {
  test.each(consistency.hash_values.filter(({ salt }) => salt !== 'holdout-'))(
    '$key, $bucketing_value, salt "$salt": $value',
    ({ key, bucketing_value: id, salt, value }) => {
      expect((salt === '' ? bucketOf : variantBucketOf)(key, id)).toBe(Number(value))
    },
  )

  test.each(vectors.bucketing)('$key, $id: $hash', ({ key, id, hash, variantHash, variant, holdoutHash }) => {
    const variants = vectors.variantsUsed.map((one) => ({
      ...one,
      name: '',
      percentage: one.rollout_percentage,
    }))
    expect(bucketOf(key, id)).toBe(hash)
    expect(variantBucketOf(key, id)).toBe(variantHash)
    expect(variants[placeAmong(sharesOf(variants), variantHash)]?.key).toBe(variant)
    expect(holdoutBucketOf(id)).toBe(holdoutHash)
  })

  test.each([
    ['simple-flag', 'distinct_id_0', 0.7836963764220432, 0.6595248869787484],
    ['multivariate-flag', 'distinct_id_0', 0.502037796130735, 0.6186454537930379],
    ['new-cta', 'user-1', 0.9582931354083104, 0.496500553947788],
    ['beta-feature', 'ünïcode', 0.4511506144464675, 0.43202242227933113],
  ])('%s, %s: %d and %d', (key, id, bucket, variantBucket) => {
    expect([bucketOf(key, id), variantBucketOf(key, id)]).toEqual([bucket, variantBucket])
  })
})

describe('PostHog’s lists of who is let in', () => {
  const decisions = (
    key: string,
    percentage: number,
    variants: { key: string; rollout_percentage: number }[],
  ) => {
    const flag = aFlag({
      key,
      kind: variants.length > 0 ? 'variants' : 'switch',
      variants: variants.map((one) => ({ key: one.key, name: '', percentage: one.rollout_percentage })),
      environments: inProduction({ percentage }),
    })
    const compiled = compileFlags([flag], mainEnvironment)
    return (i: number) => decideOne(compiled, key, somebody({ distinctId: `distinct_id_${i}` }))?.value
  }

  test('on or off', () => {
    const valueOf = decisions('simple-flag', 45, [])
    const { expected } = consistency.simple
    const ours = Array.from(expected, (_, i) => (valueOf(i) === true ? '1' : '0')).join('')
    expect(ours).toBe(expected)
  })

  test('one of five variants', () => {
    const { flag, expected, variants } = consistency.multivariate
    const valueOf = decisions('multivariate-flag', 55, flag.filters.multivariate.variants)
    const ours = Array.from(expected, (_, i) => variants.indexOf(String(valueOf(i))) + 1).join('')
    expect(ours).toBe(expected)
  })
})

test('a bucket exactly on the edge is included', () => {
  expect(isWithinShare(0.45, 45)).toBe(true)
  expect(isWithinShare(0.450000001, 45)).toBe(false)
})

test('shares of variants that end before 1 leave some buckets without a variant', () => {
  expect(placeAmong(sharesOf([{ key: 'a', name: '', percentage: 50 }]), 0.5)).toBe(-1)
})
