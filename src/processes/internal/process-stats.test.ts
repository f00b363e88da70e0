import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { patienceMs } from '#test/running/patience'
import { readProcessStats } from './process-stats'

function aSystem(files: Record<string, string>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tilth-signs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
  }
  return folder
}

test('processor time and state are read behind a name that may contain anything', () => {
  const stat = '7 (a) T 1 (b) S 1 7 7 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 11 0 8 9 10'
  expect(readProcessStats(7, aSystem({ '7/stat': stat }))).toMatchObject({
    processorMs: 3000,
    isStopped: false,
  })
})

test('the pressure is that of the scarcest resource', () => {
  const pressure = (some: string) => `some avg10=${some} avg60=0.00 avg300=0.00 total=1\nfull avg10=0.00`
  const files = { 'pressure/cpu': pressure('12.50'), 'pressure/io': pressure('80.00') }
  expect(readProcessStats(7, aSystem(files))).toEqual({ pressure: 0.8 })
})

test('where the system tells nothing, nothing is known', () => {
  expect(readProcessStats(7, aSystem({}))).toEqual({ pressure: undefined })
})

test.runIf(process.platform === 'linux')(
  'a process that works and is then stopped looks like that',
  async () => {
    const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    await vi.waitFor(() => expect(readProcessStats(child.pid).processorMs).toBeGreaterThan(200), {
      timeout: patienceMs,
    })
    expect(readProcessStats(child.pid).isStopped).toBe(false)
    child.kill('SIGSTOP')
    await vi.waitFor(() => expect(readProcessStats(child.pid).isStopped).toBe(true), 20_000)
  },
)
