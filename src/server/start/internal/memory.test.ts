import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { minMemoryBytes, memoryHere, usualMemoryShare } from './memory'

const megabyte = 1024 ** 2
const made: string[] = []

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true })
})

function systemWith(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'tilth-system-'))
  made.push(root)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

const limit = String(64 * megabyte)

test.each<[string, Record<string, string>]>([
  ['version 2', { 'proc/self/cgroup': '0::/a/b\n', 'sys/fs/cgroup/a/b/memory.max': limit }],
  ['version 2, a group above', { 'proc/self/cgroup': '0::/a/b\n', 'sys/fs/cgroup/a/memory.max': limit }],
  ['version 2, seen from inside', { 'proc/self/cgroup': '0::/\n', 'sys/fs/cgroup/memory.max': limit }],
  [
    'version 1',
    { 'proc/self/cgroup': '4:memory:/a\n0::/\n', 'sys/fs/cgroup/memory/a/memory.limit_in_bytes': limit },
  ],
  [
    'version 1, seen from inside',
    { 'proc/self/cgroup': '4:cpu,memory:/docker/x\n', 'sys/fs/cgroup/memory/memory.limit_in_bytes': limit },
  ],
  [
    'the tightest of several',
    {
      'proc/self/cgroup': '0::/a/b\n',
      'sys/fs/cgroup/a/memory.max': limit,
      'sys/fs/cgroup/a/b/memory.max': String(65 * megabyte),
    },
  ],
])('a container’s limit is found: %s', (_name, files) => {
  expect(memoryHere(systemWith(files))).toEqual({ bytes: 64 * megabyte, of: 'container' })
})

test.each<[string, Record<string, string>]>([
  ['no groups at all', {}],
  ['no limit, version 2', { 'proc/self/cgroup': '0::/a\n', 'sys/fs/cgroup/a/memory.max': 'max\n' }],
  [
    'no limit, version 1',
    {
      'proc/self/cgroup': '4:memory:/a\n',
      'sys/fs/cgroup/memory/a/memory.limit_in_bytes': '9223372036854771712',
    },
  ],
])('without a limit there is the whole machine: %s', (_name, files) => {
  expect(memoryHere(systemWith(files))).toEqual({ bytes: totalmem(), of: 'machine' })
})

test('a machine is shared, a container is filled, and a small one is not starved', () => {
  expect(usualMemoryShare({ bytes: 4096 * megabyte, of: 'machine' })).toBe(2048 * megabyte)
  expect(usualMemoryShare({ bytes: 1000 * megabyte, of: 'container' })).toBe(800 * megabyte)
  expect(usualMemoryShare({ bytes: 256 * megabyte, of: 'container' })).toBe(minMemoryBytes)
})
