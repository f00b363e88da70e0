import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  importEngine,
  importToServer,
  removeEngineExport,
  requireEmptyEngine,
  requireSame,
} from '#backups/engine-import'
import {
  clearUnfinished,
  copyEngine,
  createUnfinishedTables,
  exchangeTables,
  finishTransfer,
} from '#backups/engine-transfer'
import type { Manifest } from '#backups/manifest'
import type { Config } from '#server/config'
import type { Installation } from '#server/main'
import { progressLine } from './backup-parts'
import { embeddedEngineIn, remoteEngineAt, whileConnected, whileReady } from './restoring-engine'

interface RestoredEvents {
  manifest: Manifest
  config: Config
  installation: Installation
}

const isExported = ({ point: { engine } }: Manifest): boolean =>
  engine.form === 'remote' && engine.clone !== undefined

/** Whether the snapshot has events, which a server that could not clone its tables keeps to itself. */
const hasEvents = (manifest: Manifest): boolean =>
  manifest.point.engine.form !== 'remote' || isExported(manifest)

/** The server that the events go to; undefined if they go into an engine in the data folder. */
export const serverOf = (manifest: Manifest, { engineUrl }: Config): string | undefined =>
  hasEvents(manifest) ? engineUrl : undefined

/** Looks before anything is written, so that a mistake costs no time. */
export async function refuseUsedServer(
  { manifest, config }: Omit<RestoredEvents, 'installation'>,
  resumes: boolean,
): Promise<void> {
  const url = serverOf(manifest, config)
  if (url === undefined) return
  if (resumes) await whileConnected(url, clearUnfinished)
  await whileReady(remoteEngineAt(url), (engine) => requireEmptyEngine(engine, manifest))
}

/** Brings the events from `folder` into the form that the settings name. */
export async function loadEvents(folder: string, events: RestoredEvents): Promise<void> {
  const { manifest, config, installation } = events
  const url = serverOf(manifest, config)
  if (url !== undefined) await loadIntoServer(url, folder, events)
  else if (isExported(manifest))
    await whileReady(embeddedEngineIn(folder, config, installation), async (engine) => {
      await importEngine(engine, folder, manifest)
      await requireSame(engine, manifest)
    })
  await removeEngineExport(folder)
}

async function loadIntoServer(
  url: string,
  folder: string,
  { manifest, config, installation }: RestoredEvents,
): Promise<void> {
  await whileReady(remoteEngineAt(url), async (server) => {
    await requireEmptyEngine(server, manifest)
    await createUnfinishedTables(server)
    if (isExported(manifest)) await importToServer(server, folder, manifest)
    else
      await whileReady(embeddedEngineIn(folder, config, installation), (engine) =>
        copyEngine({ from: engine, to: server, progress: progressLine('Copying events') }),
      )
    await exchangeTables(server)
  })
  // an engine in the data folder would be taken for a part of it by the next backup
  await rm(join(folder, 'engine'), { recursive: true, force: true })
}

export async function finishEvents({
  manifest,
  config,
}: Omit<RestoredEvents, 'installation'>): Promise<void> {
  const url = serverOf(manifest, config)
  if (url !== undefined) await whileConnected(url, finishTransfer)
}
