import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { TemporaryServer } from '#engine/internal/temporary'
import type { InterruptibleServer } from '../../outside/postgres'
import type { NumberedClients } from './product-clients'
import { type ProcessName, type ProductProcess, writeKey } from './product-process'

/** The parts of the product that a fault is injected into. */
export interface FaultTarget {
  fronts: readonly ProductProcess[]
  /** The front that this fault is about. */
  front: ProductProcess
  clients: NumberedClients
  /** The engine and the store that the fronts share, if they do. */
  shared?: { engine: TemporaryServer; store: InterruptibleServer }
  /** A file system of limited size that has the data folder in it, where one could be mounted. */
  smallDisk?: string
  /** Until one more request for events is refused. */
  refusal: () => Promise<void>
}

export interface ProductFault {
  name: string
  injected: string
  /** The conditions that must hold during the fault, besides those that the verifier checks at the end. */
  holds: string
  /** With one front and its own engine, or with two fronts that share one. */
  with: readonly ('one front' | 'two fronts')[]
  /** The endpoints that need not answer with 200 during the fault. A front that is down itself excuses both. */
  excuses?: { flags?: boolean; site?: boolean }
  /** Why it cannot be injected here, if it cannot. */
  unavailable?: (target: FaultTarget) => string | undefined
  /** Injects it, keeps it for so long, and takes it back. */
  inject: (target: FaultTarget, holdMs: number) => Promise<void>
}

const everywhere = ['one front', 'two fronts'] as const
const alone = ['one front'] as const

const killed = (name: Exclude<ProcessName, 'front'>) => async (target: FaultTarget, holdMs: number) => {
  const before = await target.front.pidOnceRunning(name)
  target.front.signal(name, 'SIGKILL')
  await delay(holdMs)
  await target.front.until(`its ${name} process was started again`, async () => {
    const now = target.front.pidOf(name)
    return now !== 0 && now !== before
  })
}

const stopped =
  (name: ProcessName) =>
  async ({ front }: FaultTarget, holdMs: number) => {
    const pid = await front.pidOnceRunning(name)
    front.signal(name, 'SIGSTOP')
    await delay(holdMs)
    // the supervisor may have given it up meanwhile, and started another
    if (front.pidOf(name) === pid) front.signal(name, 'SIGCONT')
  }

const onPath = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
const needs = (program: string) => () => (onPath(program) ? undefined : `${program} is not installed`)

/** The limits of a process that runs, changed from outside. */
const limit = (pid: number, resource: string): void => {
  execFileSync('prlimit', ['--pid', String(pid), `--${resource}`])
}

/** Every fault of the lab with the whole product. The order of a run is drawn from its seed. */
export const productFaults: readonly ProductFault[] = [
  {
    name: 'front killed',
    injected: 'SIGKILL to the front, which is then started again on the same folder',
    holds: 'its children end with it, and the next start reads the journal again',
    with: everywhere,
    async inject({ front }, holdMs) {
      await front.killFront()
      await delay(holdMs / 4)
      await front.start()
    },
  },
  {
    name: 'front told to end',
    injected: 'SIGTERM under load, then a start',
    holds: 'what was taken is answered for',
    with: everywhere,
    async inject({ front }) {
      await front.killFront('SIGTERM')
      await front.start()
    },
  },
  {
    name: 'pages killed',
    injected: 'SIGKILL to the process that renders',
    holds: 'events and flags go on; the site answers what it keeps, or 503',
    with: everywhere,
    excuses: { site: true },
    inject: killed('pages'),
  },
  {
    name: 'engine killed',
    injected: 'SIGKILL to the engine',
    holds: 'events go on into the journal; flags and site go on',
    with: everywhere,
    async inject(target, holdMs) {
      if (!target.shared) return await killed('engine')(target, holdMs)
      await target.shared.engine.kill()
      await delay(holdMs)
      await target.shared.engine.start()
    },
  },
  {
    name: 'front stopped',
    injected: 'SIGSTOP to the front, SIGCONT after a while',
    holds: 'its children are not taken for dead afterwards',
    with: everywhere,
    async inject(target, holdMs) {
      await stopped('front')(target, holdMs)
      await target.front.ready()
    },
  },
  {
    name: 'pages stopped',
    injected: 'SIGSTOP to the process that renders, SIGCONT after a while',
    holds: 'events and flags go on',
    with: everywhere,
    excuses: { site: true },
    inject: stopped('pages'),
  },
  {
    name: 'engine stopped',
    injected: 'SIGSTOP to the engine, SIGCONT after a while',
    holds: 'events go on into the journal; flags and site go on',
    with: everywhere,
    async inject(target, holdMs) {
      if (!target.shared) return await stopped('engine')(target, holdMs)
      const pid = target.shared.engine.pid()
      process.kill(pid, 'SIGSTOP')
      await delay(holdMs)
      process.kill(pid, 'SIGCONT')
    },
  },
  {
    name: 'store away',
    injected: 'the Postgres server breaks its connections and refuses others for a while',
    holds: 'flags are decided from the last snapshot',
    with: ['two fronts'],
    excuses: { site: true },
    async inject({ shared }, holdMs) {
      await shared?.store.disconnect()
      await delay(holdMs)
      await shared?.store.reconnect()
    },
  },
  {
    name: 'disk full',
    injected: 'the small file system of the data folder is filled to its last byte, and emptied again',
    holds: 'events are refused with 503 until there is room; flags and site go on',
    with: alone,
    unavailable: ({ smallDisk }) => (smallDisk ? undefined : 'only root may mount a small file system'),
    async inject({ smallDisk = '', refusal }, holdMs) {
      const filler = join(smallDisk, 'filler')
      try {
        fill(filler)
        await refusal()
        await delay(holdMs)
      } finally {
        rmSync(filler, { force: true })
      }
    },
  },
  {
    name: 'started on a full disk',
    injected: 'SIGKILL to the front, its small file system filled to the last byte, and a start',
    holds: 'it starts, serves flags and site, and is ready by itself when there is room',
    with: alone,
    unavailable: ({ smallDisk }) => (smallDisk ? undefined : 'only root may mount a small file system'),
    async inject({ smallDisk = '', front }, holdMs) {
      const filler = join(smallDisk, 'filler')
      await front.killFront()
      try {
        fill(filler)
        await front.begin()
        await front.until('the site is served', async () => (await front.statusOf('/')) === 200)
        await front.until(
          'flags are served',
          async () => (await front.statusOf(`/_tilth/flags?key=${writeKey}&distinct_id=ana`)) === 200,
        )
        await delay(holdMs)
      } finally {
        rmSync(filler, { force: true })
      }
      await front.ready()
    },
  },
  {
    name: 'files cut short',
    injected: 'prlimit --fsize=4096 on the front: nothing is written beyond it (EFBIG)',
    holds: 'events are refused with 503; flags and site go on',
    with: alone,
    unavailable: needs('prlimit'),
    async inject({ front, refusal }, holdMs) {
      const pid = front.pidOf('front')
      limit(pid, 'fsize=4096:')
      try {
        await refusal()
        await delay(holdMs)
      } finally {
        limit(pid, 'fsize=unlimited:')
      }
    },
  },
  {
    name: 'few descriptors',
    injected: 'prlimit --nofile on the front: two more than it has open',
    holds: 'it lives, and takes connections again as soon as it may',
    with: everywhere,
    // a connection that cannot be accepted has no answer
    excuses: { flags: true, site: true },
    unavailable: needs('prlimit'),
    async inject({ front }, holdMs) {
      const pid = front.pidOf('front')
      const before = /^Max open files\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1]
      limit(pid, `nofile=${readdirSync(`/proc/${pid}/fd`).length + 2}:`)
      await delay(holdMs)
      limit(pid, `nofile=${before ?? 1024}:`)
    },
  },
  {
    name: 'disk does not sync',
    injected: 'strace makes every fdatasync of the front fail with EIO for a while',
    holds: 'events are refused with 503, never acknowledged; flags and site go on',
    with: alone,
    unavailable: needs('strace'),
    async inject({ front, refusal }, holdMs) {
      const options = ['-f', '-qq', '-o', '/dev/null', '-e', 'trace=fdatasync', '-e']
      const tracer = spawn(
        'strace',
        [...options, 'inject=fdatasync:error=EIO', '-p', String(front.pidOf('front'))],
        {
          stdio: 'ignore',
        },
      )
      try {
        await refusal()
        await delay(holdMs / 2)
      } finally {
        await detached(tracer)
      }
    },
  },
  {
    name: 'clock jumps',
    injected: 'the wall clock of the front moves 3 days ahead, then 3 hours back, then to where it was',
    holds: 'nothing hangs that waits for a time, and no event is stored twice',
    with: everywhere,
    async inject({ front }, holdMs) {
      for (const hours of [72, -3, 0]) {
        writeFileSync(front.clockFile, String(hours * 3_600_000))
        await delay(holdMs / 2 + 200)
      }
    },
  },
  {
    name: 'ten times the load',
    injected: 'ten times as many clients for a while',
    holds: 'what is too much is refused with 503; flags and site go on',
    with: everywhere,
    async inject({ clients }, holdMs) {
      const usual = clients.wanted
      clients.setAmount(10 * usual)
      await delay(2 * holdMs)
      clients.setAmount(usual)
    },
  },
]

async function detached(tracer: ChildProcess): Promise<void> {
  if (tracer.exitCode !== null || tracer.signalCode !== null) return
  const gone = once(tracer, 'exit')
  tracer.kill('SIGINT')
  await gone
}

function fill(file: string): void {
  const descriptor = openSync(file, 'w')
  let size = 8 * 1024 ** 2
  const bytes = Buffer.alloc(size)
  try {
    while (size > 0) {
      try {
        if (writeSync(descriptor, bytes, 0, size) < size) size = Math.floor(size / 2)
      } catch {
        size = size > 4096 ? Math.floor(size / 2) : 0
      }
    }
  } finally {
    closeSync(descriptor)
  }
}

interface Part {
  folder: string
  partition: string
  from: number
  until: number
  rows: number
}

/** Flips one bit in the middle of the largest part of events that is in use; undefined where there is none yet. */
export function flipBitOfPart(engineFolder: string): string | undefined {
  const [largest] = partsInUse(join(engineFolder, 'data/data/tilth/events')).toSorted(
    (one, other) => other.rows - one.rows,
  )
  if (!largest) return undefined
  // a small part is one file, a large one has a file for each column
  const file = ['data.bin', 'uuid.bin'].map((name) => join(largest.folder, name)).find(existsSync)
  if (!file) return undefined
  const bytes = readFileSync(file)
  const at = Math.floor(bytes.length / 2)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, bytes, at, 1, at)
  closeSync(descriptor)
  return file
}

/** A part that was merged into another one stays on disk for a while, and nothing reads it. */
function partsInUse(folder: string): Part[] {
  const parts = readdirSync(folder).flatMap((name): Part[] => {
    const [, partition = '', from, until] = /^(\d{6})_(\d+)_(\d+)_\d+$/.exec(name) ?? []
    const rows = join(folder, name, 'count.txt')
    if (partition === '' || !existsSync(rows)) return []
    const [first, last] = [Number(from), Number(until)]
    return [
      {
        folder: join(folder, name),
        partition,
        from: first,
        until: last,
        rows: Number(readFileSync(rows, 'utf8')),
      },
    ]
  })
  const covers = (one: Part, other: Part) =>
    one !== other && one.partition === other.partition && one.from <= other.from && one.until >= other.until
  return parts.filter((part) => !parts.some((other) => covers(other, part)))
}
