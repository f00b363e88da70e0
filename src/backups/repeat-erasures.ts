import { reapplyErasures } from '#persons/erasures/erasures'
import { openStore, type StoreSettings } from '#store/open'
import { realWorld } from '#world/world'
import type { ErasureRecord, Manifest } from './manifest'
import type { Repository } from './repository'
import { erasuresSince } from './restore'

interface RestoredSnapshot {
  /** The restored store. */
  store: StoreSettings
  repository: Repository
  manifest: Manifest
  /** Erasures that the repository may not know of. */
  additional: readonly ErasureRecord[]
}

/**
 * Notes in a restored store which persons were erased after the snapshot. The next start takes their events out. Returns
 * the number of such erasures.
 */
export async function repeatErasures({
  store: settings,
  repository,
  manifest,
  additional,
}: RestoredSnapshot): Promise<number> {
  const since = [...(await erasuresSince(repository, manifest)), ...additional]
  if (since.length === 0) return 0
  const store = await openStore({ ...settings, isBeingRestored: true })
  try {
    const erasures = since.map((erasure) => ({ ...erasure, askedAt: new Date(erasure.askedAt) }))
    return await reapplyErasures({ store, world: realWorld }, erasures)
  } finally {
    await store.close()
  }
}
