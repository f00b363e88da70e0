import { join } from 'node:path'
import { openEngine } from '#engine/open'
import { sql } from '#engine/sql'
import { temporarySettings } from '#engine/internal/temporary'
import { operator } from '#projects/access'
import { openLog } from '#server/log'
import { openProduct } from '#server/product'
import { anEnvelope, anEvent } from './ingest-fixture'

/**
 * A data folder as the front leaves it, opened on what the version under test knows. It is written against few names, so
 * that it also runs in older versions of this repository.
 */
export async function openFolder(folder: string) {
  const engine = openEngine({ ...(await temporarySettings()), folder: join(folder, 'engine') })
  const product = await openProduct({
    store: { folder },
    engine,
    intake: {
      dataFolder: folder,
      isAlone: true,
      diskSpace: async () => ({ freeBytes: 1e9, usedBytes: undefined, trouble: undefined }),
      log: openLog({ level: 'silent', format: 'json' }),
      onLiveEvent: () => {},
    },
  })
  await engine.ready()
  const close = async () => {
    await product.close()
    await engine.close()
  }
  return { engine, product, close }
}

/** Visitors of a day, some with a signup. The last events stay in the journal: the engine is down when they come. */
export async function fillFolder(folder: string): Promise<void> {
  const { engine, product, close } = await openFolder(folder)
  const outcome = await product.projects.create({ name: 'Acme' }, operator())
  if (!outcome.done) throw new Error('The project could not be made.')
  const send = async (n: number) => {
    const receivedAt = new Date(Date.UTC(2026, 2, 2, 12, n))
    const isSignUp = n % 5 === 0
    const event = anEvent({
      uuid: `0195551a-0000-7000-8000-${String(n).padStart(12, '0')}`,
      name: isSignUp ? '$identify' : `event ${n % 3}`,
      distinctId: isSignUp ? `member-${n}` : `visitor-${n % 10}`,
      properties: isSignUp ? { $anon_distinct_id: `visitor-${n % 10}`, n: String(n) } : { n: String(n) },
    })
    await product.intake?.accept([event], anEnvelope({ projectId: outcome.project.id, receivedAt }))
  }
  for (let n = 0; n < 100; n++) await send(n)
  while ((await stored(engine)) < 100) await new Promise((resolve) => setTimeout(resolve, 20))
  await engine.close()
  for (let n = 100; n < 120; n++) await send(n)
  await close()
}

const stored = async (engine: ReturnType<typeof openEngine>): Promise<number> => {
  const [row] = await engine.query<{ events: number }>(sql`select count() as events from events`)
  return row?.events ?? 0
}
