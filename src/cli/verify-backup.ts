import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasEngineExport, importEngine } from '#backups/engine-import'
import type { Manifest } from '#backups/manifest'
import type { Repository } from '#backups/repository'
import { restore } from '#backups/restore'
import { type Verification, verifyRestored } from '#backups/verify'
import type { Config } from '#server/config'
import type { Installation } from '#server/main'
import { embeddedEngineIn, whileReady } from './restoring-engine'

interface VerifySnapshotSettings {
  config: Config
  installation: Installation
  repository: Repository
  /** The folder into which the snapshot is restored for a while; beside the data when absent. */
  aside: string | undefined
  progress: (done: number, all: number) => void
}

/** Restores the newest snapshot aside, starts an engine on it, and compares. Nothing of it stays. */
export async function verifySnapshot({
  config,
  installation,
  repository,
  aside,
  progress,
}: VerifySnapshotSettings): Promise<Verification & { manifest: Manifest }> {
  const parent = aside ?? join(config.dataFolder, 'backups')
  await mkdir(parent, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(parent, 'verify-'))
  try {
    const manifest = await restore({ repository, snapshot: undefined, folder, progress })
    const isExport = hasEngineExport(folder)
    if (manifest.point.engine.form === 'remote' && !isExport)
      return { manifest, ...(await verifyRestored(folder, manifest, undefined, config.storeUrl)) }
    return await whileReady(embeddedEngineIn(folder, config, installation), async (engine) => {
      if (isExport) await importEngine(engine, folder, manifest)
      return { manifest, ...(await verifyRestored(folder, manifest, engine, config.storeUrl)) }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
