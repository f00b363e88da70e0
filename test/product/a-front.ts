import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Engine } from '#engine/engine'
import { openEngine } from '#engine/open'
import { temporarySettings } from '#engine/internal/temporary'
import { openLog } from '#server/log'
import { openProduct, type Product, type ProductSettings } from '#server/product'

export interface Front {
  folder: string
  engine: Engine
  product: Product
  close: () => Promise<void>
}

/** The parts of a Tilth that the front has: product, engine and journal on one data folder, without a port. */
export async function aFront(
  folder: string,
  remoteUrl?: string,
  {
    storeUrl,
    ...sending
  }: Pick<ProductSettings, 'outbound' | 'alertSender' | 'world'> & { storeUrl?: string } = {},
): Promise<Front> {
  const settings = { ...(await temporarySettings()), folder: join(folder, 'engine') }
  const engine = openEngine(remoteUrl ? { form: 'remote', url: remoteUrl, log: settings.log } : settings)
  const product = await openProduct({
    ...sending,
    store: { folder, ...(storeUrl !== undefined && { url: storeUrl }) },
    engine,
    intake: {
      dataFolder: folder,
      isAlone: true,
      diskSpace: async () => ({ freeBytes: 1e9, usedBytes: undefined, trouble: undefined }),
      log: openLog({ level: 'silent', format: 'json' }),
      onLiveEvent: () => {},
    },
    backups: { engineFolder: remoteUrl ? undefined : settings.folder, schedule: undefined },
  })
  await engine.ready()
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await product.close()
    await engine.close()
  }
  onTestFinished(close)
  return { folder, engine, product, close }
}
