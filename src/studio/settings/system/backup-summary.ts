import type { BackupReport } from '#backups/backup-report'
import type { Tone } from '#ui/Badge'
import { bytes } from '#ui/format'

interface BackupSummary {
  tone: Tone
  word: string
  /** Shown in front of the time of the last backup that was done, where there is one. */
  text: string
  lastDone: { at: Date; where: string } | undefined
}

/** A backup that is late by less than this is only slow. */
const lateAfterPeriods = 2

const remedy = 'docs/backups.md explains how to set them up.'

export function backupSummary({ plan, lastDone, last }: BackupReport, now: Date): BackupSummary {
  const done = lastDone && {
    at: lastDone.askedAt,
    where: `to ${lastDone.target}${lastDone.bytes === undefined ? '' : `, ${bytes(lastDone.bytes)}`}`,
  }
  const say = (tone: Tone, word: string, text: string): BackupSummary => ({
    tone,
    word,
    text,
    lastDone: done,
  })
  if (last?.state === 'failed')
    return say('danger', 'Failed', `The last attempt failed: ${last.trouble ?? 'the log says why.'}`)
  if (last?.state === 'done' && last.trouble !== undefined) return say('danger', 'Damaged', last.trouble)
  if (!plan)
    return done
      ? say('warning', 'Not scheduled', `TILTH_BACKUP is not set, so no backups are scheduled. ${remedy}`)
      : say('warning', 'Not set up', `No backups. Set TILTH_BACKUP; ${remedy}`)
  if (!done) return say('info', 'Waiting', `No backup yet; the first one goes to ${plan.place}.`)
  if (now.getTime() - done.at.getTime() > lateAfterPeriods * plan.everyMs)
    return say('warning', 'Late', 'Backups are overdue. Run tilth backup to see why.')
  return say('success', 'Done', '')
}
