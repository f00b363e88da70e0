import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A file system of its own, with few megabytes. */
interface SmallDisk {
  folder: string
  /** Fills it to its last byte. */
  fill(): void
  makeSpace(): void
}

export const whyNoSmallDisk = 'only root may mount a small file system'

/** Undefined where none can be mounted. */
export function aSmallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'tilth-small-disk-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tilth-test', folder])
  onTestFinished(() => {
    if (status === 0) spawnSync('umount', ['--lazy', folder])
    rmSync(folder, { recursive: true })
  })
  const filler = join(folder, 'filler')
  return status === 0
    ? {
        folder,
        fill: () => void spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k']),
        makeSpace: () => rmSync(filler),
      }
    : undefined
}
