import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { wholeFile } from './whole-file'

test('a long file is counted in many turns of the event loop', async () => {
  const part = Buffer.from('{"event":"read"}\n'.repeat(4000))
  const parts = 800
  const content = Readable.from(Array.from({ length: parts }, () => part))
  let turns = 0
  let isOver = false
  const countTurns = (): void => {
    turns++
    if (!isOver) setImmediate(countTurns)
  }
  setImmediate(countTurns)

  const file = { content, rows: parts * 4000 }
  for await (const _ of wholeFile(file, 'jsonl', { withHeader: false }));
  isOver = true

  expect(turns).toBeGreaterThan(1)
})
