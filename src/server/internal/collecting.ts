import { pointsFolder } from '#backups/point'
import { type BackupSchedule, BackupScheduler } from '#backups/backup-scheduler'
import type { Engine } from '#engine/engine'
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
import type { Store } from '#store/store'
import type { SurveyIntake } from '#surveys/open'
import { openFlagWireServices } from '#visits/flag-requests/flag-wire-services'
import type { WireServices } from '#wire/dialect'
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

type CollectionDependencies = CollectionSettings &
  Pick<IntakeSettings, 'world' | 'projects'> &
  Omit<Parameters<typeof openFlagWireServices>[0], 'flags'> & {
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
  dependencies: CollectionDependencies,
): Promise<OpenedModule<CollectionServices>> {
  const { dataFolder, store, engine, surveys, log } = dependencies
  const intake = await openIntake({
    ...dependencies,
    surveys: surveys.eventCheck,
    importedSince: (month) => importedSince(store, month),
    removeUpgradeCopies: async (madeBefore) => {
      await store.dropCopies({ madeBefore })
      await removeUpgradeCopies(engine, pointsFolder(dataFolder), { madeBefore })
    },
    forgetElsewhere: async (...erased) => {
      await forgetKeptIds(...erased)
      await eraseSubscriptions(...erased)
    },
  })
  const { definitions, deciding, environments, tryingLinks } = dependencies.flags
  const { seal, requestCounts } = dependencies
  const flags = openFlagWireServices(
    { ...dependencies, flags: { definitions, deciding, environments, tryingLinks, seal, requestCounts } },
    intake.context,
  )
  const experiments = await PublishedExperiments.open({
    store,
    onTrouble: (problem) => log.warn({ err: problem }, 'collection is in trouble'),
  })
  const backups =
    dependencies.backups && new BackupScheduler({ ...dependencies, ...dependencies.backups, intake })
  return {
    services: {
      intake: {
        ...intake,
        ...flags.services,
        ...surveys.services,
        posthogWebExperiments: (projectId) => experiments.webExperiments(projectId),
      },
      backups,
    },
    jobs: [...intake.jobs, ...(backups?.jobs ?? [])],
    close: async () => {
      await backups?.close()
      flags.close()
      await experiments.close()
      await intake.close(drainMs)
    },
  }
}
