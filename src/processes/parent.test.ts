import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { transform } from 'esbuild'
import { expect, onTestFinished, test, vi } from 'vitest'
import { patienceMs } from '#test/running/patience'

/** A parent and its child, as files that plain Node can run. */
async function aFamily(): Promise<{ parent: string; child: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tilth-parent-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const source = await readFile(new URL('parent.ts', import.meta.url), 'utf8')
  const { code } = await transform(source, { loader: 'ts', format: 'esm' })
  const child = path.join(folder, 'child.mjs')
  const parent = path.join(folder, 'parent.mjs')
  await writeFile(child, `${code}\nexitWithParent()\nprocess.send('born')\nsetInterval(() => {}, 1000)`)
  await writeFile(
    parent,
    `import { fork } from 'node:child_process'
     const child = fork(${JSON.stringify(child)})
     child.once('message', () => console.log(child.pid))`,
  )
  return { parent, child }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a child dies with its parent, even when the parent is killed with kill -9', async () => {
  const { parent } = await aFamily()
  const started = spawn(process.execPath, [parent], { stdio: ['ignore', 'pipe', 'inherit'] })
  const childPid = Number(await new Promise((resolve) => started.stdout.once('data', resolve)))
  expect(isRunning(childPid)).toBe(true)

  started.kill('SIGKILL')
  await vi.waitFor(() => expect(isRunning(childPid)).toBe(false), { timeout: patienceMs })
})

test('a child file started by hand says how it is meant to be started', async () => {
  const { child } = await aFamily()
  const started = spawn(process.execPath, [child], { stdio: ['ignore', 'ignore', 'pipe'] })
  let text = ''
  started.stderr.on('data', (words) => (text += String(words)))
  await new Promise((resolve) => started.once('close', resolve))
  expect(text).toContain('This file is started by Tilth as a child process.')
})
