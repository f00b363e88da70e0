import { pointsFolder } from '#backups/point'
import { type BackupSchedule, BackupScheduler } from '#backups/backup-scheduler'
import type { Engine } from '#engine/engine'
import { SparingLook } from '#engine/sparing-look'
import { removeUpgradeCopies } from '#engine/upgrade-copies'
import { PublishedExperiments } from '#experiments/web/published-experiments'
import { forgetKeptIds } from '#flags/kept-ids'
import type { FlagServices } from '#flags/open'
import type { FlagRequestCounts } from '#flags/request-counts/request-counts'
import type { Seal } from '#flags/seal'
import { importedSince } from '#imports/store'
import { type Intake, type IntakeSettings, openIntake } from '#ingest/intake'
import { eraseSubscriptions } from '#letters/subscribers/store'
import type { OpenedModule } from '#jobs/jobs'
import type { ProjectServices } from '#projects/open'
import type { Store } from '#store/store'
import type { SurveyIntake } from '#surveys/open'
import { openFlagWireServices } from '#visits/flag-requests/flag-wire-services'
import type { WireServices } from '#wire/dialect'
import type { World } from '#world/world'
import type { Log } from '../log'
import type { DiskSpace } from '../start/disk-space'

/** The settings of the process that collects events. */
export interface CollectionSettings extends Pick<
  IntakeSettings,
  'dataFolder' | 'isAlone' | 'uuidFilterBytes' | 'batchBytes' | 'onLiveEvent'
> {
  diskSpace: () => Promise<DiskSpace>
  log: Log
}

/** The embedded engine's files, and the schedule of backups if there is one. */
export interface FrontBackups {
  engineFolder: string | undefined
  schedule: BackupSchedule | undefined
}

interface CollectionDependencies {
  world: World
  projects: ProjectServices
  flags: FlagServices
  seal: Seal
  /** Counts the requests of clients that send no event about their decisions. */
  requestCounts: FlagRequestCounts
  store: Store
  engine: Engine
  surveys: SurveyIntake
  backups: FrontBackups | undefined
}

/** Collects events, answers clients, and takes backups of both. */
export interface CollectionServices {
  intake: Intake & WireServices
  backups: BackupScheduler | undefined
}

/** Events still in the journal after this time are stored at the next start. */
const drainMs = 3000

export async function openCollecting(
  { dataFolder, isAlone, uuidFilterBytes, batchBytes, diskSpace, log, onLiveEvent }: CollectionSettings,
  { store, world, engine, projects, flags, seal, requestCounts, surveys, backups }: CollectionDependencies,
): Promise<OpenedModule<CollectionServices>> {
  const oldCopies = new SparingLook(engine, world)
  const removeCopies = (madeBefore?: Date) =>
    removeUpgradeCopies(engine, pointsFolder(dataFolder), { madeBefore })
  const intake = await openIntake({
    dataFolder,
    store,
    engine,
    projects,
    world,
    isAlone,
    uuidFilterBytes,
    batchBytes,
    diskSpace,
    log,
    onLiveEvent,
    surveys: surveys.eventCheck,
    importedSince: (month) => importedSince(store, month),
    removeUpgradeCopies: async (madeBefore) => {
      await store.dropCopies({ madeBefore })
      if (madeBefore) await oldCopies.take('', () => removeCopies(madeBefore))
      else await removeCopies()
    },
    forgetElsewhere: async (...erased) => {
      await forgetKeptIds(...erased)
      await eraseSubscriptions(...erased)
    },
  })
  const flagParts = flagPartsOf(flags, seal, requestCounts)
  const { keys } = projects
  const wireServices = openFlagWireServices({ flags: flagParts, projects, keys, store }, intake.context)
  const experiments = await PublishedExperiments.open({
    store,
    onTrouble: (problem) => log.warn({ err: problem }, 'collection is in trouble'),
  })
  const scheduler =
    backups &&
    new BackupScheduler({
      store,
      engine,
      world,
      log,
      dataFolder,
      engineFolder: backups.engineFolder,
      intake,
      schedule: backups.schedule,
    })
  return {
    services: {
      intake: {
        ...intake,
        ...wireServices.services,
        ...surveys.services,
        posthogWebExperiments: (projectId) => experiments.webExperiments(projectId),
      },
      backups: scheduler,
    },
    jobs: [...intake.jobs, ...(scheduler?.jobs ?? [])],
    close: async () => {
      await scheduler?.close()
      wireServices.close()
      await experiments.close()
      await intake.close(drainMs)
    },
  }
}

const flagPartsOf = (
  { definitions, deciding, environments, overrideLinks }: FlagServices,
  seal: Seal,
  requestCounts: FlagRequestCounts,
) => ({ definitions, deciding, environments, overrideLinks, seal, requestCounts })
