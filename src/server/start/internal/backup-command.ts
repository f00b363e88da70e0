import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import type { BackupRun } from '#backups/backup-scheduler'
import { forkProgram } from '#processes/fork-program'
import type { Config } from '../../config'

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
