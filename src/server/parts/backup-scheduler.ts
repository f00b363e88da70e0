import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { PointTaker } from '#backups/point-taker'
import { type BackupRecord, listBackups, noteFailedBackup } from '#backups/store'
import type { Engine } from '#engine/engine'
import { forkProgram } from '#processes/fork-program'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import type { Config } from '../config'
import type { Intake } from './intake'
import type { Job } from '../jobs/jobs'
import type { Log } from '../log'

/** Takes backup points for the backup command, and starts the command when it is due. */
export interface BackupScheduler {
  readonly jobs: readonly Job[]
  status(): Promise<BackupStatus>
  close(): Promise<void>
}

export interface BackupStatus {
  lastDone: BackupRecord | undefined
  /** The latest backup, successful or not. */
  last: BackupRecord | undefined
  /** The number of failures, and of snapshots of damaged data, since the last success. */
  failures: number
}

export interface BackupSchedule {
  place: string
  everyMs: number
  /** Starts the command. Resolves with its error message, or with undefined if it succeeded. */
  run: () => BackupRun
}

interface BackupRun {
  outcome: Promise<{ complaint: string | undefined }>
  stop: () => void
}

interface BackupSchedulerSettings {
  store: Store
  engine: Engine
  world: World
  log: Log
  dataFolder: string
  engineFolder: string | undefined
  intake: Pick<Intake, 'journalId' | 'whileIngestIsPaused'>
  schedule: BackupSchedule | undefined
}

const checkEveryMs = 60_000
/** A retry after a failure does not wait for the whole period. */
const retryAfterMs = 15 * 60_000

export function openBackupScheduler(settings: BackupSchedulerSettings): BackupScheduler {
  const { store, log, intake, schedule } = settings
  const pointTaker = new PointTaker({
    ...settings,
    ...intake,
    onTrouble: (problem) => log.error({ err: problem }, 'no point could be taken for a backup'),
  })
  let running: BackupRun | undefined
  const status = async (): Promise<BackupStatus> => statusOf(await listBackups(store, intake.journalId))

  async function backUpIfDue({ place, everyMs, run }: BackupSchedule): Promise<void> {
    const beganAt = settings.world.now()
    if (beganAt < dueAt(await status(), everyMs)) return
    running = run()
    const { complaint } = await running.outcome
    running = undefined
    if (complaint === undefined) {
      const { lastDone } = await status()
      log.info({ place, ...summaryOf(lastDone) }, 'a backup was made')
      return
    }
    const { last } = await status()
    const isDone = last !== undefined && last.askedAt >= beganAt && last.state === 'done'
    log.error({ place, complaint }, isDone ? 'a backup holds damaged data' : 'a backup failed')
    // the command may have failed before it recorded anything
    if (last && last.askedAt >= beganAt) return
    const attempt = { journal: intake.journalId, target: place, at: beganAt, trouble: complaint }
    await noteFailedBackup(store, settings.world, attempt)
  }

  const chore = (name: string, run: Job['run']): Job => ({ name, everyMs: checkEveryMs, run })
  return {
    jobs: [
      chore('take points for backups', () => pointTaker.takeRequested()),
      ...(schedule ? [chore('back up', () => backUpIfDue(schedule))] : []),
    ],
    status,
    close: async () => {
      running?.stop()
      await pointTaker.close()
    },
  }
}

const summaryOf = (record: BackupRecord | undefined) =>
  record && {
    snapshot: record.snapshot,
    bytes: record.bytes,
    bytesAdded: record.bytesAdded,
    tookMs: record.tookMs,
  }

export function statusOf(records: readonly BackupRecord[]): BackupStatus {
  const doneAt = records.findIndex(({ state }) => state === 'done')
  const soundAt = records.findIndex(({ state, trouble }) => state === 'done' && trouble === undefined)
  const since = soundAt < 0 ? records : records.slice(0, soundAt)
  return {
    lastDone: doneAt < 0 ? undefined : records[doneAt],
    last: records[0],
    failures: since.filter(({ trouble, state }) => state === 'failed' || trouble !== undefined).length,
  }
}

export function dueAt({ lastDone, last }: BackupStatus, everyMs: number): Date {
  const regular = (lastDone?.askedAt.getTime() ?? 0) + everyMs
  const failedAt = last?.state === 'failed' ? last.askedAt.getTime() : undefined
  const retry = failedAt === undefined ? 0 : failedAt + Math.min(everyMs, retryAfterMs)
  return new Date(lastDone ? Math.max(regular, retry) : retry)
}

/** Runs the command as a process with low priority. */
export function runBackupCommand(root: string, config: Config): BackupRun {
  const child = forkProgram(join(root, 'bin', 'tilth.js'), ['backup', '--json'], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [],
    env: { ...process.env, ...environmentOf(config) },
  })
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  let output = ''
  child.stderr?.on('data', (text) => (output = (output + String(text)).slice(-4000)))
  const ended = new Promise<{ complaint: string | undefined }>((resolve) => {
    child.once('error', (problem) => resolve({ complaint: problem.message }))
    child.once('close', (code, signal) =>
      resolve({ complaint: code === 0 ? undefined : output.trim() || `It ended with ${signal ?? code}.` }),
    )
  })
  return { outcome: ended, stop: () => void child.kill('SIGTERM') }
}

/** Passes on settings that the front has removed from its own environment. */
function environmentOf(config: Config): Record<string, string | undefined> {
  const { dataFolder, engineUrl, storeUrl, objectStorage, backup } = config
  const environment = {
    TILTH_DATA: dataFolder,
    TILTH_ENGINE: engineUrl,
    TILTH_STORE: storeUrl,
    TILTH_BACKUP: backup.place,
    TILTH_BACKUP_KEY_FILE: backup.keyFile,
    TILTH_S3_ENDPOINT: objectStorage?.endpoint?.href,
    TILTH_S3_REGION: objectStorage?.region,
    TILTH_S3_KEY: objectStorage?.accessKey,
    TILTH_S3_SECRET: objectStorage?.secretKey,
  }
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined))
}
