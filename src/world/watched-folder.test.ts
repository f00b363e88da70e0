import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { patienceMs } from '#test/running/patience'
import { WatchedFolder } from './watched-folder'

/** A folder that is never polled, and what its file was when a change was told. */
async function aWatchedFolder(path = 'posts/hello.md') {
  const folder = mkdtempSync(join(tmpdir(), 'tilth-watched-'))
  const file = join(folder, path)
  mkdirSync(join(folder, 'posts'))
  writeFileSync(join(folder, 'posts', 'hello.md'), 'first')
  const read: (string | undefined)[] = []
  const watched = new WatchedFolder({
    folder,
    debounceMs: 10,
    pollEveryMs: 3_600_000,
    onChange: async () => void read.push(existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined),
    onTrouble: (problem) => expect(problem).toBeUndefined(),
  })
  await watched.start()
  onTestFinished(async () => {
    await watched.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const isTold = async (text: string | undefined) =>
    await vi.waitFor(() => expect(read).toContain(text), { timeout: patienceMs })
  return { folder, file, read, isTold }
}

/** As vim, `sed -i`, `git` and most editors write a file. */
function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

test.each<[string, (file: string, text: string) => void]>([
  ['written', (file, text) => writeFileSync(file, text)],
  ['replaced by another file', replace],
  [
    'removed and made again',
    (file, text) => {
      unlinkSync(file)
      writeFileSync(file, text)
    },
  ],
  ['edited by sed', (file, text) => execFileSync('sed', ['-i', `1s/.*/${text}/`, file])],
])('a file that is %s is told each time', async (_, save) => {
  const { file, isTold } = await aWatchedFolder()
  for (const text of ['second', 'third', 'fourth']) {
    save(file, text)
    await isTold(text)
  }
})

test('a file in a new folder is told, and each time it is replaced', async () => {
  const { file, isTold } = await aWatchedFolder('posts/garden/beds.md')
  mkdirSync(dirname(file))
  await isTold(undefined)
  for (const text of ['first', 'second', 'third']) {
    replace(file, text)
    await isTold(text)
  }
})

test('a folder that is removed and made again is watched', async () => {
  const { file, isTold } = await aWatchedFolder()
  for (const text of ['second', 'third']) {
    rmSync(dirname(file), { recursive: true })
    await isTold(undefined)
    mkdirSync(dirname(file))
    replace(file, text)
    await isTold(text)
    replace(file, `${text}, again`)
    await isTold(`${text}, again`)
  }
})

test('a folder in whose place another one is moved is watched', async () => {
  const { folder, file, isTold } = await aWatchedFolder()
  for (const text of ['second', 'third']) {
    mkdirSync(join(folder, '.next'))
    writeFileSync(join(folder, '.next', 'hello.md'), text)
    renameSync(join(folder, 'posts'), join(folder, `.before ${text}`))
    renameSync(join(folder, '.next'), join(folder, 'posts'))
    await isTold(text)
    replace(file, `${text}, again`)
    await isTold(`${text}, again`)
  }
})

test('changes that do not stop are told meanwhile', async () => {
  const { file, read } = await aWatchedFolder()
  const writing = setInterval(() => writeFileSync(file, String(Math.random())), 2)
  try {
    await vi.waitFor(() => expect(read.length).toBeGreaterThan(1), { timeout: patienceMs })
  } finally {
    clearInterval(writing)
  }
})
