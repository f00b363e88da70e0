import { expect, test } from 'vitest'
import type { BackupRecord } from './internal/store'
import { dueAt, statusOf } from './backup-scheduler'

const hour = 60 * 60_000
const noon = Date.parse('2026-11-22T12:00:00Z')

const record = (state: BackupRecord['state'], hoursAgo: number): BackupRecord => ({
  id: `${hoursAgo}`,
  journal: 'j',
  state,
  process: 1,
  target: '/backups',
  askedAt: new Date(noon - hoursAgo * hour),
  endedAt: new Date(noon - hoursAgo * hour),
  snapshot: undefined,
  trouble: undefined,
  bytes: undefined,
  bytesAdded: undefined,
  tookMs: undefined,
})

test.each<[what: string, newestFirst: BackupRecord[], minutes: number | 'at once']>([
  ['nothing was ever backed up', [], 'at once'],
  ['the last one was two hours ago', [record('done', 2)], 4 * 60],
  ['the last one was long ago', [record('done', 30)], 'at once'],
  ['the first one has just failed', [record('failed', 0)], 15],
  ['one has just failed, and the one before is old', [record('failed', 0), record('done', 7)], 15],
  ['one failed an hour ago', [record('failed', 1), record('done', 7)], 'at once'],
  ['one that was asked for by hand failed early', [record('failed', 0), record('done', 1)], 5 * 60],
])('backed up every six hours, where %s the next is due in %s minutes', (_what, records, minutes) => {
  const due = dueAt(statusOf(records), 6 * hour).getTime()
  if (minutes === 'at once') expect(due).toBeLessThanOrEqual(noon)
  else expect(due).toBe(noon + minutes * 60_000)
})

test('failures are counted since the last backup that was done', () => {
  const records = [
    record('failed', 1),
    record('asked', 2),
    record('failed', 3),
    record('done', 4),
    record('failed', 5),
  ]
  expect(statusOf(records)).toMatchObject({ failures: 2, lastDone: { id: '4' }, last: { id: '1' } })
})
