import { chmodSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder, aTilth } from './tilth'

const lines = ['info: The engine is ready.', 'info: The pages process is ready.', 'info: ready']

test('a healthy first start logs three lines, none of them a warning', async () => {
  const folder = aFolder()
  // a folder in which root can let the engine run as another user
  chmodSync(dirname(folder), 0o755)
  const tilth = await aTilth({ TILTH_DATA: folder })
  await tilth.waitForOutput(/"msg":"ready"/)
  const entries = tilth.out
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): { level: string; msg: string; address?: string; data?: string } => JSON.parse(line))
  expect(entries.map(({ level, msg }) => `${level}: ${msg}`).toSorted()).toEqual(lines)
  expect(entries.at(-1)).toMatchObject({ address: tilth.address, data: resolve(tilth.folder) })
  expect(tilth.err).toBe('')
})
