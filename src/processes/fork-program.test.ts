import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { expect, onTestFinished, test, vi } from 'vitest'
import { patienceMs } from '#test/running/patience'
import { forkProgram } from './fork-program'

const longerThanAnyArgument = 'x'.repeat(3_000_000)

test('a program that cannot be started tells so as an event, and drops messages and signals', async () => {
  const child = forkProgram('program.js', [longerThanAnyArgument], {})
  expect(child.send({})).toBe(false)
  expect(child.kill('SIGKILL')).toBe(false)
  const [problem] = await once(child, 'error')
  expect(String(problem)).toContain('E2BIG')
})

/** Says that it is alive as the pages do. */
const program = `
  process.on('disconnect', () => process.exit())
  process.on('message', ({ begin }) => {
    if (!begin) return
    require('node:http').createServer((_, response) => response.writeHead(204).end()).listen(begin.socket)
  })`

/** Supervises that program, first with no descriptor left. */
const parent = (folder: string) => `
  import { openSync, closeSync } from 'node:fs'
  import { startPagesWorker } from '#site-serving/internal/pages-worker'
  const taken = []
  try {
    for (;;) taken.push(openSync('/dev/null'))
  } catch {}
  const tell = (_, words) => process.send(words)
  startPagesWorker({
    program: ${JSON.stringify(join(folder, 'program.cjs'))},
    dataFolder: ${JSON.stringify(folder)},
    report: { info: tell, warn: tell, error: tell },
  }, 0)
  process.on('message', () => taken.forEach((descriptor) => closeSync(descriptor)))
  process.on('disconnect', () => process.exit())`

test(
  'a parent without free descriptors lives on, and its child comes up when some are free',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tilth-descriptors-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'program.cjs'), program)
    const outfile = join(folder, 'parent.cjs')
    await build({
      stdin: { contents: parent(folder), resolveDir: resolve('src'), loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'silent',
      outfile,
    })
    const front = spawn('sh', ['-c', 'ulimit -n 200 && exec "$0" "$1"', process.execPath, outfile], {
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    })
    onTestFinished(() => void front.kill('SIGKILL'))
    let told = ''
    front.on('message', (words) => (told += `${JSON.stringify(words)}\n`))
    front.stderr?.on('data', (words) => (told += String(words)))
    let hasEnded = false
    front.once('exit', () => (hasEnded = true))
    const tells = async (words: RegExp) => {
      await vi.waitUntil(() => words.test(told) || hasEnded, { timeout: patienceMs, interval: 20 })
      expect(told).toMatch(words)
    }
    await tells(/(could not be started: .*EMFILE[^]*){2}/)
    front.send('free them')
    await tells(/The pages process is ready/)
    expect(hasEnded).toBe(false)
  },
  2 * patienceMs,
)
