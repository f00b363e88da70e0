import type { Engine } from '#engine/engine'
import { deleteAnnounced } from '#ingest/event-tally'
import type { HistoryWriter } from '#ingest/history-writer'
import type { ProjectIngestSettings } from '#ingest/settings'
import type { OpenedModule } from '#jobs/jobs'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { importJob, ImportRunner } from './internal/import-runner'
import { Imports, importTopic } from './imports'
import { PreparingThread } from './preparing/internal/preparing-thread'
import type { PortionPreparer } from './preparing/portion-preparation'
import { startReading } from './reading/internal/reading-process'
import { ImportUploads, uploadTopic } from './uploads/internal/import-uploads'
import { uploadJob, UploadReader } from './uploads/internal/upload-reader'

interface ImportServicesDependencies {
  store: Store
  world: World
  /** The data folder. */
  folder: string
  /** Set only in the process that collects events. */
  collecting: Collecting | undefined
}

interface Collecting {
  engine: Engine
  history: HistoryWriter
  diskSpace: () => Promise<{ freeBytes: number; trouble: string | undefined }>
  onTrouble: (problem: unknown) => void
  intakeSettingsOf: (projectId: number) => ProjectIngestSettings
}

/** Histories from other products. */
export class ImportServices extends Imports {
  /** Files that wait to be imported. */
  readonly uploads: ImportUploads

  constructor(
    { store, world, folder, collecting }: ImportServicesDependencies,
    preparer: PortionPreparer | undefined,
  ) {
    super({ store, world, history: collecting?.history, preparer })
    const freeBytes = collecting && (() => freeForUploads(collecting))
    this.uploads = new ImportUploads({ store, world, folder, imports: this, freeBytes })
  }
}

/** The job to run at once after a change, by the topic of the change. */
export const importJobAtOnceAfter: Readonly<Record<string, string>> = {
  [importTopic]: importJob,
  [uploadTopic]: uploadJob,
}

/** The job that continues what a stop interrupted. */
export const jobAtStart = uploadJob

export function openImports(dependencies: ImportServicesDependencies): OpenedModule<ImportServices> {
  const { store, world, folder, collecting } = dependencies
  const preparer = collecting && preparerOf(collecting)
  const imports = new ImportServices(dependencies, preparer)
  if (!collecting) return { services: imports, jobs: [], close: () => {} }
  const { engine, history, onTrouble, intakeSettingsOf } = collecting
  const runner = new ImportRunner({
    store,
    world,
    engine,
    history,
    deleteEvents: (deletion) => deleteAnnounced({ store, world, engine }, deletion),
  })
  const reader = new UploadReader({
    store,
    world,
    folder,
    engine,
    onTrouble,
    imports,
    startReading,
    intakeSettingsOf,
  })
  return {
    services: imports,
    jobs: [...runner.jobs, ...reader.jobs],
    close: () => closeParts(reader, preparer),
  }
}

const preparerOf = ({ intakeSettingsOf: settingsOf, onTrouble }: Collecting): PreparingThread =>
  new PreparingThread({ settingsOf, onTrouble })

async function closeParts(reader: UploadReader, preparer: PreparingThread | undefined): Promise<void> {
  reader.close()
  await preparer?.close()
}

/** Stays free for events while files are uploaded. */
const reservedBytes = 1024 ** 3

async function freeForUploads({ diskSpace }: Collecting): Promise<number> {
  const { freeBytes, trouble } = await diskSpace()
  return trouble === undefined ? freeBytes - reservedBytes : 0
}
