import type { Logger } from 'pino'
import { PointTaker } from './internal/point-taker'
import { type BackupRecord, listBackups, noteFailedBackup } from './internal/store'
import type { Engine } from '#engine/engine'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import type { Intake } from '#ingest/intake'
import type { Job } from '#jobs/jobs'

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

export interface BackupRun {
  outcome: Promise<{ complaint: string | undefined }>
  stop: () => void
}

interface BackupSchedulerSettings {
  store: Store
  engine: Engine
  world: World
  log: Pick<Logger, 'info' | 'error'>
  dataFolder: string
  engineFolder: string | undefined
  intake: Pick<Intake, 'journalId' | 'whileIngestIsPaused'>
  schedule: BackupSchedule | undefined
}

const checkEveryMs = 60_000
/** A retry after a failure does not wait for the whole period. */
const retryAfterMs = 15 * 60_000

/** Takes backup points for the backup command, and starts the command when it is due. */
export class BackupScheduler {
  readonly jobs: readonly Job[]
  private readonly pointTaker: PointTaker
  private running: BackupRun | undefined

  constructor(private readonly settings: BackupSchedulerSettings) {
    const { log, intake, schedule } = settings
    this.pointTaker = new PointTaker({
      ...settings,
      ...intake,
      onTrouble: (problem) => log.error({ err: problem }, 'no point could be taken for a backup'),
    })
    const chore = (name: string, run: Job['run']): Job => ({ name, everyMs: checkEveryMs, run })
    this.jobs = [
      chore('take points for backups', () => this.pointTaker.takeRequested()),
      ...(schedule ? [chore('back up', () => this.backUpIfDue(schedule))] : []),
    ]
  }

  async status(): Promise<BackupStatus> {
    const { store, intake } = this.settings
    return statusOf(await listBackups(store, intake.journalId))
  }

  async close(): Promise<void> {
    this.running?.stop()
    await this.pointTaker.close()
  }

  private async backUpIfDue({ place, everyMs, run }: BackupSchedule): Promise<void> {
    const { store, log, intake, world } = this.settings
    const beganAt = world.now()
    if (beganAt < dueAt(await this.status(), everyMs)) return
    this.running = run()
    const { complaint } = await this.running.outcome
    this.running = undefined
    if (complaint === undefined) {
      const { lastDone } = await this.status()
      log.info({ place, ...summaryOf(lastDone) }, 'a backup was made')
      return
    }
    const { last } = await this.status()
    const isDone = last !== undefined && last.askedAt >= beganAt && last.state === 'done'
    log.error({ place, complaint }, isDone ? 'a backup holds damaged data' : 'a backup failed')
    // the command may have failed before it recorded anything
    if (last && last.askedAt >= beganAt) return
    const attempt = { journal: intake.journalId, target: place, at: beganAt, trouble: complaint }
    await noteFailedBackup(store, world, attempt)
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
