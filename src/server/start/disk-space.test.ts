import { linkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder } from '#test/product/fixture'
import { measureDiskSpace } from './disk-space'

test('files that a backup links are not counted twice against TILTH_DISK', async () => {
  const folder = aFolder()
  writeFileSync(join(folder, 'part'), Buffer.alloc(1000))
  linkSync(join(folder, 'part'), join(folder, 'point'))
  expect((await measureDiskSpace(folder, 1024 ** 3)).usedBytes).toBe(1000)
})
