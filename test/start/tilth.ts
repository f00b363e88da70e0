import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { dataFolders } from '../product/data-folders'
import { endAfterFile } from '../running/end-after-file'
import { patienceMs } from '../running/patience'

const root = resolve(import.meta.dirname, '../..')
const program = join(root, 'bin/tilth.js')

export type TestEnvironment = Record<string, string>

/** Registers what ends something that was started: `onTestFinished`, or the end of a file whose tests share it. */
export type EndLater = (end: () => void | Promise<void>) => void

/** A path for a data folder that is not there yet, and is gone after the test. */
export function aFolder(endLater: EndLater = onTestFinished): string {
  const fixture = mkdtempSync(join(dataFolders, 'tilth-start-'))
  endLater(() => rmSync(fixture, { recursive: true, force: true }))
  return join(fixture, 'data')
}

/** The real program, started as a person would, whatever Tilth settings the test itself was started with. */
export function run(
  args: readonly string[],
  environment: TestEnvironment = {},
  as: { uid?: number; endLater?: EndLater } = {},
): TilthProcess {
  return runProgram(process.execPath, [program, ...args], environment, as)
}

/** The same by way of npm, which puts a shell in between. */
export const npmStart = (environment: TestEnvironment): TilthProcess =>
  runProgram('npm', ['start'], environment)

/** Runs any program, with the settings of a test. */
export function runProgram(
  command: string,
  args: readonly string[],
  environment: TestEnvironment,
  { uid, endLater = onTestFinished }: { uid?: number; endLater?: EndLater } = {},
): TilthProcess {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^TILTH_|^PORT$|^NODE_ENV$|^VITEST/.test(name),
  )
  const child = spawn(command, args, {
    cwd: root,
    env: { ...Object.fromEntries(inherited), NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    uid,
  })
  return new TilthProcess(child, endLater)
}

/** One process of Tilth and all it says. */
class TilthProcess {
  out = ''
  err = ''
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  private hasEnded = false

  constructor(
    private readonly child: ChildProcess,
    endLater: EndLater,
  ) {
    child.stdout?.on('data', (text) => (this.out += String(text)))
    child.stderr?.on('data', (text) => (this.err += String(text)))
    this.ended = new Promise((finish) => {
      child.once('close', (code, signal) => {
        this.hasEnded = true
        finish({ code, signal })
      })
    })
    endLater(async () => {
      this.kill('SIGKILL')
      await this.ended
    })
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  kill(signal: NodeJS.Signals): void {
    if (!this.hasEnded) this.child.kill(signal)
  }

  /** Until it has said this; a run that ends without saying it fails with what it said instead. */
  async waitForOutput(words: RegExp): Promise<RegExpExecArray> {
    await vi.waitUntil(() => words.test(this.out) || this.hasEnded, { timeout: 2 * patienceMs, interval: 10 })
    const found = words.exec(this.out)
    if (!found) throw new Error(`It ended without saying ${words}:\n${this.out}\n${this.err}`)
    return found
  }
}

/** A Tilth that runs and answers. */
export interface RunningTestTilth extends TilthProcess {
  address: string
  port: number
  folder: string
}

/**
 * Starts a Tilth in a folder of its own, and ends it with the test.
 *
 * @example
 * const { address } = await aTilth({ TILTH_MEMORY: '512m' })
 * expect((await fetch(`${address}/_tilth/ready`)).status).toBe(200)
 */
export async function aTilth(
  environment: TestEnvironment = {},
  endLater: EndLater = onTestFinished,
): Promise<RunningTestTilth> {
  const tilth = await aStartingTilth(environment, endLater)
  await tilth.waitForOutput(/^Tilth is ready at /m)
  return tilth
}

/** One Tilth for the tests of a file that do not harm it. It begins with the first test that asks for it. */
export function aTilthForAll(environment: TestEnvironment = {}): () => Promise<RunningTestTilth> {
  const endLater = endAfterFile()
  let tilth: Promise<RunningTestTilth> | undefined
  return () => (tilth ??= aTilth(environment, endLater))
}

/**
 * Node is given its heap at once, which saves a start the execution of a second program in place of the first.
 * `npm start`, a start with `TILTH_MEMORY` and one with options of Node's go the whole way.
 */
const heapOf = (environment: TestEnvironment): TestEnvironment =>
  'TILTH_MEMORY' in environment ? {} : { NODE_OPTIONS: '--max-old-space-size=800' }

/** A Tilth that has opened its port, and answers most requests with a page that says it is starting. */
export async function aStartingTilth(
  environment: TestEnvironment = {},
  endLater: EndLater = onTestFinished,
): Promise<RunningTestTilth> {
  const folder = environment['TILTH_DATA'] ?? aFolder(endLater)
  const settings = { PORT: '0', TILTH_DATA: folder, ...heapOf(environment), ...environment }
  const running = run(['start'], settings, { endLater })
  const [, address = ''] = await running.waitForOutput(/^Tilth is starting at (\S+)/m)
  return Object.assign(running, { address, port: Number(new URL(address).port), folder })
}

/** The processes that another one started, by what they run. Linux tells in files. */
export function childrenOf(pid: number): { pid: number; runs: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = textOf(`/proc/${name}/stat`)
      // the name of the program stands in brackets and may contain anything; what follows is state and parent
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      return parent === pid ? [{ pid: Number(name), runs: textOf(`/proc/${name}/cmdline`) }] : []
    })
}

export function childOf(pid: number, runs: string): number {
  const child = childrenOf(pid).find((each) => each.runs.includes(runs))
  if (!child) throw new Error(`Process ${pid} has no child that runs ${runs}.`)
  return child.pid
}

/** Gone, or only waiting for its parent to notice. */
export const isGone = (pid: number): boolean => {
  const stat = textOf(`/proc/${pid}/stat`)
  return stat === '' || stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z')
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Every file of a folder with what is in it and when that was written, to see whether anything was touched. */
export function snapshotFolder(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const digest = createHash('sha256').update(readFileSync(path)).digest('hex')
      return [relative(folder, path), `${digest} ${statSync(path).mtimeMs}`]
    }),
  )
}

/** The title of a page, which tells what kind of page it is. */
export const titleOf = (html: string): string => /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? ''

export const browserHeaders = { headers: { accept: 'text/html' }, redirect: 'manual' } as const
