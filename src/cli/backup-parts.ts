import { openTarget, parseTargetAddress } from '#backups/target-address'
import { BackupRefusedError } from '#backups/backup-refused'
import { Repository } from '#backups/repository'
import { readKeyFile } from '#backups/object-sealer'
import { type Config, readConfig } from '#server/config'
import { isDiskFull } from '#server/start/disk-space'
import { storeRefusalFor } from '#store/postgres'

/** Options of every backup command. */
export interface BackupPlaceOptions {
  to?: string
  keyFile?: string
  json?: boolean
}

export const keyOption = [
  '--key-file <file>',
  'what encrypts backups; TILTH_BACKUP_KEY_FILE otherwise',
] as const
export const jsonOption = ['--json', 'answer with JSON'] as const

/** Prints what the work answers, or why it cannot be done. */
export async function runAndPrint(
  json: boolean | undefined,
  work: (config: Config) => Promise<{ json: unknown; lines: readonly string[] }>,
): Promise<void> {
  try {
    const reading = readConfig(process.env)
    if (!reading.readable) throw new BackupRefusedError(reading.problems.join('\n'))
    const answer = await work(reading.config)
    process.stdout.write(`${json ? JSON.stringify(answer.json, null, 2) : answer.lines.join('\n')}\n`)
  } catch (thrown) {
    const problem = refusalOf(thrown)
    const isRefusal =
      problem instanceof Error &&
      ['BackupRefusedError', 'StoreRefusedError', 'StartError'].includes(problem.name)
    if (!isRefusal) throw problem
    process.stderr.write(`${json ? JSON.stringify({ problems: [problem.message] }) : problem.message}\n`)
    process.exitCode = 1
  }
}

/** Says in a sentence what an operator can mend; the same command goes on afterwards. */
function refusalOf(problem: unknown): unknown {
  if (isDiskFull(problem))
    return new BackupRefusedError('The disk is full. Make room, and give the same command again.')
  const refused = storeRefusalFor(problem)
  return refused ? new BackupRefusedError(`${refused.message} Then give the same command again.`) : problem
}

function backupPlace(config: Config, option: string | undefined): string {
  const place = option === undefined ? config.backup.place : parseTargetAddress(option)
  if (place !== undefined) return place
  throw new BackupRefusedError(
    option === undefined
      ? 'Say where backups are: set TILTH_BACKUP to a folder or to s3://bucket/path, or name it in the command.'
      : `${option} is neither the path of a folder nor like s3://bucket/path.`,
  )
}

export async function openRepository(
  config: Config,
  { to, keyFile }: BackupPlaceOptions,
  mode: 'read' | 'write',
): Promise<Repository> {
  const target = openTarget(backupPlace(config, to), config.objectStorage)
  const path = keyFile ?? config.backup.keyFile
  const key = path === undefined ? undefined : readKeyFile(path)
  return mode === 'write' ? await Repository.openOrBegin(target, key) : await Repository.open(target, key)
}

/** A line that is written over again and again, for a person who watches. */
export function progressLine(label: string): (done: number, all: number) => void {
  if (!process.stderr.isTTY) return () => {}
  let shown = -1
  return (done, all) => {
    const percent = all === 0 ? 100 : Math.floor((done / all) * 100)
    if (percent === shown) return
    shown = percent
    process.stderr.write(`\r${label} ${percent} %${done >= all ? '\n' : ''}`)
  }
}

export function inBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)))
  const amount = bytes / 1024 ** step
  return `${step === 0 ? amount : amount.toFixed(1)} ${units[step]}`
}
