import { describe, expect, onTestFinished, test } from 'vitest'
import { aFolder, aWorld, requireDone, memberHelpers } from '#test/product/fixture'
import { describeOnPostgres } from '#test/outside/postgres'
import { operator } from '#projects/access'
import { openProduct } from '#server/product'
import { openStore } from '#store/open'
import { FlagRequestCounts } from '../../request-counts/request-counts'
import { type Guard, type GuardReading } from '../../guard'
import { GuardEngine } from '../guard-engine'
import { Guards } from './guards'

const you = operator('Ana')
const well: GuardReading = { state: 'well', got: 0.02, others: 0.02, people: { got: 500, others: 4500 } }

/** Two fronts that share a store, of either form. */
async function twoFronts(url?: string) {
  const [folder, world] = [aFolder(), aWorld()]
  const product = await openProduct({ store: { folder, url }, world })
  const stores = [await openStore({ folder, url }), await openStore({ folder, url })] as const
  onTestFinished(async () => {
    for (const store of stores) await store.close()
    await product.close()
  })
  const { id } = await memberHelpers(product).aProject()
  return { world, product, stores, id }
}

function heldOn(url: () => Promise<string | undefined>): void {
  test('a guarded rollout is kept as it is, and a step of it is taken once', async () => {
    const { world, product, stores, id } = await twoFronts(await url())
    const production = { isOn: true, conditions: [{ percentage: 1 }] }
    requireDone(await product.flags.create(id, { key: 'checkout', environments: { production } }, you))
    const look = async ({ metrics }: Guard) => metrics.map(() => well)
    const [one, other] = stores.map(
      (store) =>
        new Guards({
          store,
          engine: new GuardEngine({ store, world, readMetrics: look }),
          objectionTo: async () => undefined,
        }),
    ) as [Guards, Guards] // there are two stores
    const wanted = {
      flag: 'checkout',
      steps: [
        { percentage: 10, afterMinutes: 0 },
        { percentage: 33.34, afterMinutes: 5 },
      ],
      metrics: [{ type: 'vital', vital: 'CLS', worse: 7.5 }],
    }
    const { guard } = requireDone(await one.create(id, wanted, you))
    expect(await other.find(id, guard.id, you)).toEqual(guard)

    world.advance('5 minutes')
    await Promise.all([one.run(), other.run(), one.run()])

    expect(await other.list(id, you, 'checkout')).toMatchObject([
      { readings: [well], lookedAt: world.now(), taken: [{ percentage: 10 }, { percentage: 33.34 }] },
    ])
    expect(await product.flags.history(id, 'checkout', you)).toHaveLength(3)
  })

  test('what each front was asked adds up', async () => {
    const { world, stores, id } = await twoFronts(await url())
    const [one, other] = stores.map((store) => new FlagRequestCounts({ store, world })) as [
      FlagRequestCounts,
      FlagRequestCounts,
    ] // as above
    const asking = { projectId: id, environment: 'production', key: 'beta', client: 'OpenFeature' }
    one.note(asking, world.now())
    one.note(asking, world.now())
    world.advance('1 hour')
    other.note(asking, world.now())
    other.note({ ...asking, key: undefined }, world.now())
    for (const requestCounts of [one, other, one]) await requestCounts.keep()
    expect(await one.lately(id, 30, 'production')).toEqual({
      byKey: new Map([['beta', [{ client: 'OpenFeature', times: 3, lastAt: world.now() }]]]),
      lastForAll: world.now(),
    })
    expect((await one.lately(id, 30, 'staging')).byKey.size).toBe(0)
    world.advance('61 days')
    await one.keep()
    expect((await one.lately(id, 365)).byKey.size).toBe(0)
  })
}

describe('guards in a file', () => heldOn(async () => undefined))

describeOnPostgres('guards', (emptyDatabase) => heldOn(emptyDatabase))
