import { describe, expect, test } from 'vitest'
import { openTestProduct, problemMessages, requireDone } from '#test/product/fixture'
import { aFlag, aSet, somebody } from '#test/random/random-flags'
import { operator } from '#projects/access'
import { isInSlice, layerBucketOf } from '../bucket'
import { compileFlags } from '../compile'
import { decideOne } from '../internal/decide'
import { explain } from '../explain'
import { type Flag, type LayerSlice, mainEnvironment } from '../flag'
import { whyNotLocal } from '../posthog/internal/local-evaluation'
import { definitionsFor } from '../posthog-form'

const ana = operator('Ana')

const withSlice = (key: string, layer: LayerSlice, more: Partial<Flag> = {}): Flag =>
  aFlag({
    key,
    environments: { production: { isOn: true, conditions: [aSet()], layer, payloads: {} } },
    ...more,
  })

const people = Array.from({ length: 2000 }, (_, i) => `visitor-${i}`)

describe('decisions', () => {
  const flags = [
    withSlice('headline', { id: 1, from: 0, until: 40 }),
    withSlice('button', { id: 1, from: 40, until: 100 }),
    withSlice('footer', { id: 2, from: 0, until: 40 }),
  ]
  const compiled = compileFlags(flags, mainEnvironment)
  const getting = (key: string) =>
    people.filter((distinctId) => decideOne(compiled, key, somebody({ distinctId }))?.value)
  const [headline, button, footer] = [getting('headline'), getting('button'), getting('footer')]
  const shared = (one: readonly string[], other: readonly string[]) =>
    one.filter((id) => other.includes(id)).length / people.length

  test('slices of one layer share no visitor, and together leave none out', () => {
    expect(shared(headline, button)).toBe(0)
    expect(headline.length + button.length).toBe(people.length)
    expect(headline.length / people.length).toBeCloseTo(0.4, 1)
  })

  test('another layer divides visitors independently', () => {
    expect(shared(headline, footer)).toBeCloseTo(0.16, 1)
  })

  test('the edges belong to one slice each', () => {
    const inSlices = (bucket: number) =>
      [
        { from: 0, until: 40 },
        { from: 40, until: 100 },
      ].map((slice) => isInSlice(bucket, slice))
    expect([0, 0.4, 1].map(inSlices)).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ])
  })

  test('an explanation says the slice and where the visitor is', () => {
    const outside = button[0] ?? ''
    const found = explain(compiled, 'headline', somebody({ distinctId: outside }))
    const at = layerBucketOf(1, outside)
    expect(found?.decision).toMatchObject({ value: false, reason: { code: 'outside_layer_slice' } })
    expect(found?.layerBucket).toBe(at)
    expect(found?.steps).toContain(
      `The flag has the slice of layer 1 from 0% to 40%; they are at ${(at * 100).toFixed(2)}%, so they are not in it.`,
    )
  })

  test('SDKs that evaluate flags themselves ask for one with a slice', () => {
    expect(flags.map((flag) => whyNotLocal(flag, mainEnvironment, flags))).toEqual(
      flags.map(() => 'It has a slice of a layer, which SDKs do not know.'),
    )
    const asked = { type: 'cohort', value: 'decided-by-the-server' }
    expect(definitionsFor(flags, mainEnvironment).flags).toMatchObject(
      flags.map(() => ({
        ensure_experience_continuity: false,
        filters: { groups: [{ properties: [asked] }] },
      })),
    )
  })
})

describe('definitions', () => {
  async function setUp() {
    const { product, aProject } = await openTestProduct()
    const { id } = await aProject()
    const { layer } = requireDone(await product.flags.layers.create(id, { name: 'Checkout' }, ana))
    const make = (key: string, slice: object, more: object = {}) =>
      product.flags.create(
        id,
        { key, ...more, environments: { production: { isOn: true, layer: { id: layer.id, ...slice } } } },
        ana,
      )
    return { product, id, layer, make }
  }

  test.each<[string, object, object, string]>([
    [
      'that overlaps another',
      { from: 30, until: 60 },
      {},
      '“headline” has 0 to 50 percent of this layer. Choose a slice beside it.',
    ],
    [
      'of another unit',
      { from: 50, until: 60 },
      { bucketBy: { by: 'device' } },
      '“headline” is decided by something else than this flag. The flags of a layer share persons, devices or one type of group.',
    ],
    [
      'that keeps decisions through sign-in',
      { from: 50, until: 60 },
      { keepsThroughSignIn: true },
      'A flag with a slice of a layer cannot keep decisions through sign-in: turn one of them off.',
    ],
    ['that ends before it begins', { from: 60, until: 50 }, {}, 'A slice begins before it ends.'],
    [
      'of a layer that is not there',
      { id: 7, from: 50, until: 60 },
      {},
      'There is no layer 7 in this project. Make it first.',
    ],
  ])('a slice %s is refused', async (_, slice, more, message) => {
    const { make } = await setUp()
    requireDone(await make('headline', { from: 0, until: 50 }))
    expect(problemMessages(await make('button', slice, more))).toEqual([message])
  })

  test('a slice beside another is kept, moved and given up, and holds the layer', async () => {
    const { product, id, layer, make } = await setUp()
    requireDone(await make('headline', { from: 0, until: 50 }))
    requireDone(await make('button', { from: 50, until: 100 }))
    expect(problemMessages(await product.flags.layers.remove(id, layer.id, ana))).toEqual([
      'Slices of it are taken by “button”, “headline”. Take it out of there first.',
    ])
    const change = (key: string, slice: object | null) =>
      product.flags.change(id, key, { environments: { production: { layer: slice } } }, ana)
    expect(problemMessages(await change('button', { id: layer.id, from: 40, until: 100 }))).toEqual([
      '“headline” has 0 to 50 percent of this layer. Choose a slice beside it.',
    ])
    requireDone(await change('headline', null))
    const { flag } = requireDone(await change('button', { id: layer.id, from: 40, until: 100 }))
    expect(flag.environments['production']?.layer).toEqual({ id: layer.id, from: 40, until: 100 })
    requireDone(await change('button', null))
    requireDone(await product.flags.layers.remove(id, layer.id, ana))
  })
})
