import { describe, expect, test } from 'vitest'
import type { BackupRecord } from '#backups/internal/store'
import { backupSummary } from './HealthPanel'

const now = new Date('2026-03-01T12:00:00Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
const plan = { place: 's3://acme/tilth', everyMs: 24 * 3_600_000 }

const aRecord = (more: Partial<BackupRecord> = {}): BackupRecord => ({
  id: 'a',
  journal: 'j',
  state: 'done',
  process: 1,
  target: 's3://acme/tilth',
  askedAt: hoursAgo(3),
  endedAt: hoursAgo(3),
  snapshot: 'one',
  trouble: undefined,
  bytes: 12_300_000,
  bytesAdded: 0,
  tookMs: 1,
  ...more,
})

describe('the line about backups', () => {
  test.each([
    // what is planned, the last one done, the last attempt, and how it is said
    ['none, none is made', undefined, undefined, undefined, 'Not set up', 'Set TILTH_BACKUP'],
    ['none, one was made by hand', undefined, aRecord(), aRecord(), 'Not scheduled', 'not set'],
    ['one, none is made yet', plan, undefined, undefined, 'Waiting', 's3://acme/tilth'],
    ['one, the last is done', plan, aRecord(), aRecord(), 'Done', ''],
    [
      'one, the last is old',
      plan,
      aRecord({ askedAt: hoursAgo(49) }),
      aRecord({ askedAt: hoursAgo(49) }),
      'Late',
      'overdue',
    ],
    [
      'one, the last attempt failed',
      plan,
      aRecord({ askedAt: hoursAgo(30) }),
      aRecord({ state: 'failed', trouble: 'The bucket is gone.' }),
      'Failed',
      'The bucket is gone.',
    ],
  ] as const)('where the plan is %s', (_, planned, lastDone, last, word, text) => {
    const summary = backupSummary({ plan: planned, lastDone, last }, now)

    expect(summary.word).toBe(word)
    expect(summary.text).toContain(text)
    expect(summary.lastDone?.at).toEqual(lastDone?.askedAt)
  })

  test('says where the last one is and how large', () => {
    expect(backupSummary({ plan, lastDone: aRecord(), last: aRecord() }, now).lastDone?.where).toBe(
      'to s3://acme/tilth, 12.3 MB',
    )
  })
})
