import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Quarantine } from './quarantine'

test('rows are stored with the reason, in a private file for each day', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tilth-quarantine-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  let now = new Date('2026-11-21T23:59:59Z')
  const quarantine = new Quarantine(join(folder, 'quarantine'), () => now)

  await quarantine.keep([{ row: '{"a":1}', reason: 'It is no uuid.' }])
  await quarantine.keep([
    { row: 'not\neven JSON', reason: 'It cannot be read.' },
    { row: '{"b":2}', reason: 'It is too much.' },
  ])
  now = new Date('2026-11-22T00:00:00Z')
  await quarantine.keep([{ row: '{"c":3}', reason: 'It is no number.' }])

  expect(readdirSync(quarantine.folder)).toEqual(['2026-11-21.ndjson', '2026-11-22.ndjson'])
  const today = join(quarantine.folder, '2026-11-21.ndjson')
  const lines = readFileSync(today, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { at: '2026-11-21T23:59:59.000Z', reason: 'It is no uuid.', row: '{"a":1}' },
    { at: '2026-11-21T23:59:59.000Z', reason: 'It cannot be read.', row: 'not\neven JSON' },
    { at: '2026-11-21T23:59:59.000Z', reason: 'It is too much.', row: '{"b":2}' },
  ])
  expect(statSync(today).mode & 0o777).toBe(0o600)
})
