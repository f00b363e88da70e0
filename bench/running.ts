import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A Tilth started for measuring, as a user starts it. */
export interface Running {
  address: string
  readyMs: number
  process: ChildProcess
  stop(): Promise<void>
}

export const key = 'phc_bench_key'
export const secret = 'a-secret-key-of-the-bench'

/** The settings that let the first start run without a person at the keyboard. */
export const owned = {
  TILTH_OWNER_EMAIL: 'ana@example.com',
  TILTH_OWNER_PASSWORD: 'five unrelated words do well',
  TILTH_PROJECT: 'Bench',
  TILTH_PROJECT_KEY: key,
  TILTH_PROJECT_SECRET: secret,
}

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'tilth-bench-'))
export const forget = (folder: string): void => rmSync(folder, { recursive: true, force: true })

export async function startTilth(
  folder: string,
  environment: Record<string, string> = {},
  command: readonly string[] = ['start'],
): Promise<Running> {
  const began = performance.now()
  const child = spawn(process.execPath, ['bin/tilth.js', ...command], {
    env: { ...process.env, PORT: '0', TILTH_DATA: folder, TILTH_LOG: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [, address = ''] = await waitForOutput(child, /^Tilth is starting at (\S+)/m)
  await readiness(address)
  return { address, readyMs: performance.now() - began, process: child, stop: () => stopped(child) }
}

/** Listens for as long as it runs: an unread pipe fills up, and a closed one ends the process that writes to it. */
function waitForOutput(child: ChildProcess, words: RegExp): Promise<RegExpExecArray> {
  let text = ''
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      text = (text + String(chunk)).slice(-10_000)
      const found = words.exec(text)
      if (found) resolve(found)
    })
    child.once('exit', () => reject(new Error(`It ended without saying ${words}:\n${text}`)))
  })
}

/** Events are accepted, queries answered, and pages shown. */
async function readiness(address: string): Promise<void> {
  for (;;) {
    const answers = await Promise.all([status(`${address}/_tilth/ready`), status(`${address}/`)])
    if (answers.every((answer) => answer === 200)) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const status = (address: string): Promise<number> =>
  fetch(address, { headers: { accept: 'text/html' } }).then(
    async (answer) => {
      await answer.arrayBuffer()
      return answer.status
    },
    () => 0,
  )

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

/** Resident memory of a process and everything it started, by what each runs. */
export function memoryOf(pid: number): Record<string, number> {
  const found: Record<string, number> = { front: residentBytes(pid) }
  for (const child of childrenOf(pid)) found[child.runs] = residentBytes(child.pid)
  return found
}

/** Processor time of a process so far, all its threads, in milliseconds. Linux counts hundredths of a second. */
export const processorMs = (pid: number): number => processorMsIn(`/proc/${pid}/stat`)

/** Processor time of the thread that has the event loop: its main one. */
export const eventLoopMs = (pid: number): number => processorMsIn(`/proc/${pid}/task/${pid}/stat`)

function processorMsIn(file: string): number {
  const stat = textOf(file)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** The one of its children that runs the engine. */
export const engineOf = (pid: number): number =>
  childrenOf(pid).find(({ runs }) => runs === 'engine')?.pid ?? 0

const parts: readonly [RegExp, string][] = [
  [/engine-child/, 'engine'],
  [/pages\.js/, 'pages'],
]

function childrenOf(pid: number): { pid: number; runs: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = textOf(`/proc/${name}/stat`)
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      const command = textOf(`/proc/${name}/cmdline`)
      const part = parts.find(([pattern]) => pattern.test(command))?.[1]
      return parent === pid && part ? [{ pid: Number(name), runs: part }] : []
    })
}

/** Resident memory of one process. */
export function residentBytes(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`)) ?? []
  return Number(kilobytes) * 1024
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
