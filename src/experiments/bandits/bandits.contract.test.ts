import { describe, expect, onTestFinished, test } from 'vitest'
import { aFolder, aWorld, memberHelpers, requireDone } from '#test/product/fixture'
import { describeOnPostgres } from '#test/outside/postgres'
import { operator } from '#projects/access'
import { openProduct } from '#server/product'
import { openStore } from '#store/open'
import { Bandits } from './bandits'

const you = operator('Ana')

function heldOn(url: () => Promise<string | undefined>): void {
  test('two fronts move the weights once, and both have the log', async () => {
    const [folder, world, address] = [aFolder(), aWorld(), await url()]
    const product = await openProduct({ store: { folder, url: address }, world })
    const stores = [await openStore({ folder, url: address }), await openStore({ folder, url: address })]
    onTestFinished(async () => {
      for (const store of stores) await store.close()
      await product.close()
    })
    const { id } = await memberHelpers(product).aProject()
    const variants = [
      { key: 'control', percentage: 50 },
      { key: 'test', percentage: 50 },
    ]
    const environments = { production: { isOn: true, conditions: [{ percentage: 100 }] } }
    requireDone(
      await product.flags.create(id, { key: 'checkout', kind: 'variants', variants, environments }, you),
    )
    const orders = { name: 'Orders', measured: { type: 'conversion', happening: { event: 'ordered' } } }
    const input = { name: 'Checkout', flag: 'checkout', kind: 'bandit', metrics: [orders] }
    const { experiment } = requireDone(await product.experiments.create(id, input, you))
    requireDone(await product.experiments.start(id, experiment.id, {}, you))
    const arms = [
      { variant: 'control', units: 400, mean: 0.1, chance: 0.2 },
      { variant: 'test', units: 400, mean: 0.12, chance: 0.8 },
    ]
    const fronts = stores.map(
      (store) => new Bandits({ store, world, readArms: async () => ({ done: true, arms }) }),
    )

    await Promise.all(fronts.flatMap((bandits) => [bandits.run(), bandits.run()]))

    for (const bandits of fronts) {
      const { report } = requireDone(await bandits.report(id, experiment.id, you))
      expect(report.progress).toMatchObject({ state: 'running', arms, seenVersion: 3 })
      expect(report.changes.map(({ weights }) => weights)).toEqual([
        { control: 23, test: 77 },
        { control: 50, test: 50 },
      ])
    }
    expect(await product.flags.history(id, 'checkout', you)).toHaveLength(3)
  })
}

describe('bandits in a file', () => heldOn(async () => undefined))

describeOnPostgres('bandits', (emptyDatabase) => heldOn(emptyDatabase))
