import { parseEngineUrl } from '#engine/address'
import { EngineClient } from '#engine/client'
import { exportEngine } from './internal/engine-export'
import type { Manifest } from './manifest'
import { type PointFolder, removePoint } from './point'
import type { PruneReport, Repository } from './repository'
import type { SnapshotRetention } from './snapshot-retention'
import { dropPointClones, type PointSettings, takePoint } from './take-point'
import { type SnapshotSettings, writeSnapshot } from './internal/write-snapshot'

export interface BackupSettings extends SnapshotSettings, Omit<PointSettings, 'target'> {
  repository: Repository
  retention: SnapshotRetention
}

export interface BackupOutcome {
  manifest: Manifest
  bytesAdded: number
  tookMs: number
  pruned: PruneReport
}

/** Takes a point, writes it to the repository, and removes what no rule keeps any more. */
export async function backUp(settings: BackupSettings): Promise<BackupOutcome> {
  const { repository, retention } = settings
  return await repository.withLock(async () => {
    const beganAt = performance.now()
    const taken = await takePoint({ ...settings, target: repository.target.address })
    const nothing = { snapshot: undefined, bytes: undefined, bytesAdded: undefined, tookMs: undefined }
    try {
      const manifest = await withRemoteEngine(settings, taken.point, (exporting) =>
        writeSnapshot(repository, taken.point, taken, { ...settings, exportEngine: exporting }),
      )
      const tookMs = Math.round(performance.now() - beganAt)
      const { name: snapshot, bytes } = manifest
      const { bytesAdded } = repository
      const trouble = manifest.damage && damageInWords(manifest.damage)
      await taken.finish({ snapshot, bytes, bytesAdded, tookMs, trouble })
      return { manifest, bytesAdded, tookMs, pruned: await repository.prune(retention) }
    } catch (problem) {
      await taken.finish({ ...nothing, trouble: messageOf(problem) }).catch(() => {})
      throw problem
    } finally {
      await removePoint(taken.point.path)
    }
  })
}

export const damageInWords = (damage: readonly string[]): string =>
  [
    'The data was damaged when this snapshot was taken, and so is the snapshot:',
    ...damage,
    'Snapshots from before the damage are kept: see tilth backup list.',
  ].join('\n')

const messageOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem))

type EngineExporter = SnapshotSettings['exportEngine']

/** Gives the work a way to export the clone that the point names, and drops the clone at the end. */
async function withRemoteEngine<Outcome>(
  { engineUrl, repository }: BackupSettings,
  point: PointFolder,
  work: (exporting: EngineExporter) => Promise<Outcome>,
): Promise<Outcome> {
  const { engine } = point.point
  const id = engine.form === 'remote' ? engine.clone : undefined
  if (id === undefined || engineUrl === undefined) return await work(undefined)
  const client = new EngineClient({ address: parseEngineUrl(engineUrl), queriesAtOnce: 1 })
  try {
    return await work((before) => exportEngine(client, id, { repository, before }))
  } finally {
    await client.close()
    await dropPointClones(engineUrl, point).catch(() => {})
  }
}
