import type { Config } from '#server/config'
import type { DoctorFinding } from '#server/doctor'
import { readStore } from '#store/read-only'
import { readKeyFile } from './object-sealer'
import { Repository } from './repository'
import { openTarget } from './target-address'

type BackupCheckConfig = Pick<Config, 'dataFolder' | 'storeUrl' | 'objectStorage' | 'backup'>

/** A backup that is late by less than this counts as slow. */
const lateAfterPeriods = 2

const wrong = (found: string): DoctorFinding => ({
  verdict: 'wrong',
  found,
  remedy: 'Run tilth backup, which says what is in its way; see docs/backups.md.',
})

/**
 * Checks the newest snapshot on the backup’s target itself, because a record of a backup proves nothing, and the record
 * of the last run, because a run that fails leaves nothing on the target.
 */
export async function checkBackups(config: BackupCheckConfig): Promise<DoctorFinding> {
  const { place, everyMs } = config.backup
  if (!place) return { verdict: 'skipped', found: 'TILTH_BACKUP is not set: nothing is backed up by itself.' }
  const failure = await lastFailure(config)
  try {
    const newest = await newestSnapshot(config, place)
    if (!newest) return wrong(joined(`There is no snapshot at ${place} yet.`, failure))
    const found = `The newest snapshot at ${place} is of ${newest.at.toISOString()} and holds ${megabytes(newest.bytes)}.`
    if (newest.damage) return wrong(joined(found, 'It was taken of damaged data:', ...newest.damage))
    const isLate = Date.now() - newest.at.getTime() > lateAfterPeriods * everyMs
    return isLate || failure ? wrong(joined(found, failure)) : { verdict: 'ok', found }
  } catch (problem) {
    return wrong(joined(problem instanceof Error ? problem.message : String(problem), failure))
  }
}

async function newestSnapshot(
  { objectStorage, backup: { keyFile } }: BackupCheckConfig,
  place: string,
): Promise<{ at: Date; bytes: number; damage: string[] | undefined } | undefined> {
  const target = openTarget(place, objectStorage)
  const repository = await Repository.open(target, keyFile === undefined ? undefined : readKeyFile(keyFile))
  const newest = (await repository.snapshots()).at(-1)
  if (!newest) return undefined
  const { bytes, damage } = await repository.manifest(newest.name)
  return { at: newest.at, bytes, damage }
}

const latestEnded = `select state, trouble, asked_at from backups where state in ('done', 'failed') order by asked_at desc limit 1`

/** The latest run, if it failed. A store that cannot be read has a check of its own. */
async function lastFailure(config: BackupCheckConfig): Promise<string | undefined> {
  const [last] = await readStore(config, latestEnded).catch(() => [])
  if (last?.['state'] !== 'failed') return undefined
  return `The last run, of ${String(last['asked_at'])}, failed: ${String(last['trouble'])}`
}

const joined = (...sentences: readonly (string | undefined)[]): string =>
  sentences.filter((sentence) => sentence !== undefined).join(' ')

function megabytes(bytes: number): string {
  const mega = bytes / 1024 ** 2
  return mega >= 1024 ? `${(mega / 1024).toFixed(1)} GB` : `${mega.toFixed(1)} MB`
}
