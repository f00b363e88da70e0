import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '#store/open'
import type { Store } from '#store/store'
import { aFolder, aWorld } from '#test/product/fixture'
import { expectLinear } from '#test/running/growth'
import { countWaiting, dueInLane, dueLanes } from './waiting'

/** A store in which so many messages wait for one address, and one for another. */
async function aStoreWith(count: number): Promise<Store> {
  const folder = aFolder()
  const store = await openStore({ folder, url: undefined })
  onTestFinished(() => store.close())
  const database = new DatabaseSync(join(folder, 'store.db'), { enableForeignKeyConstraints: false })
  const columns =
    'id, project_id, about, recipient, message, created_at, state, due_at, attempts, outcome, address'
  const at = '2026-03-02T10:00:00.000Z'
  database.exec(`
    insert into outgoing (${columns})
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n <= ${count})
    select
      n, iif(n > 1, 1, 2), 'rollouts', '{}', '{}', '${at}', 'waiting', '${at}', 0, null,
      iif(n > 1, 'away.example', 'quick.example')
    from numbers`)
  database.close()
  return store
}

test('looking for what is due costs the same, however much waits', async () => {
  const world = aWorld()
  const stores = new Map<number, Promise<Store>>()
  const storeFor = (size: number) => {
    // reading all rows would take four times as long for twice the size
    const store = stores.get(size) ?? aStoreWith(3 * size ** 2)
    stores.set(size, store)
    return store
  }
  await expectLinear(
    (size) => async () => {
      const store = await storeFor(size)
      const lanes = await dueLanes(store, 'outgoing', world.now())
      expect(lanes).toHaveLength(2)
      for (const lane of lanes)
        for (const end of ['newest', 'oldest'] as const)
          await dueInLane(store, 'outgoing', { lane, now: world.now(), end, limit: 1 })
      await countWaiting(store, 'outgoing', 1, 10)
    },
    200,
  )
})
