import { expect, test } from 'vitest'
import { aFolder, aWorld } from '#test/product/fixture'
import type { Engine } from '#engine/engine'
import { render } from '#engine/sql'
import { openStore } from '#store/open'
import { ForeignEngineError, InstallationBinding } from './installation'

/** As much of an engine as the binding asks about. */
class CountedEngine {
  ids: string[] = []
  constructor(public events = 0) {}

  query: Engine['query'] = async <Row>(statement: Parameters<Engine['query']>[0]) => {
    const rows = render(statement).text.includes('count()')
      ? [{ events: this.events }]
      : this.ids.map((id) => ({ id }))
    return rows as Row[] // the two queries of the binding
  }
  insert: Engine['insert'] = async (_table, rows) => {
    const { id }: { id: string } = JSON.parse(String(rows))
    this.ids.push(id)
  }
  command: Engine['command'] = async () => void (this.ids = [])
}

async function aBinding(engine: CountedEngine, folder = aFolder(), seed = 'one') {
  const store = await openStore({ folder })
  const binding = new InstallationBinding({ store, engine, world: aWorld(seed) })
  await binding.initialize()
  return { binding, store, folder }
}

test('a new store beside an engine full of another one’s events is refused, however often it starts', async () => {
  const engine = new CountedEngine()
  await (await aBinding(engine)).binding.bind()
  engine.events = 1000
  const folder = aFolder()
  const first = await aBinding(engine, folder, 'two')
  await expect(first.binding.bind()).rejects.toThrow(ForeignEngineError)
  await first.store.close()
  const again = await aBinding(engine, folder, 'three')

  await expect(again.binding.bind()).rejects.toThrow(/belong to another store.*Put the store back/)
  await again.store.close()
})

test('a new store beside a full engine of a version without ids is refused as well', async () => {
  const { binding, store } = await aBinding(new CountedEngine(1000))

  await expect(binding.bind()).rejects.toThrow(ForeignEngineError)
  await store.close()
})

test('store and engine that belong together start as often as they like', async () => {
  const engine = new CountedEngine()
  const { binding, store, folder } = await aBinding(engine)
  await binding.bind()
  engine.events = 5000
  await store.close()

  const again = await aBinding(engine, folder, 'two')
  await again.binding.bind()
  expect(engine.ids).toHaveLength(1)
  await again.store.close()
})
