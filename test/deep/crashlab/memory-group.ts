import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** The files of a memory cgroup in its two versions. */
const versions = [
  {
    root: '/sys/fs/cgroup/memory',
    mark: 'memory.limit_in_bytes',
    limits: ['memory.limit_in_bytes', 'memory.memsw.limit_in_bytes'],
    swap: undefined,
    kills: 'memory.oom_control',
  },
  {
    root: '/sys/fs/cgroup',
    mark: 'cgroup.subtree_control',
    limits: ['memory.max'],
    swap: 'memory.swap.max',
    kills: 'memory.events',
  },
] as const

/** A memory limit without swap for a program and its children, such as a container has. */
export class MemoryGroup {
  private constructor(
    private readonly folder: string,
    private readonly version: (typeof versions)[number],
  ) {}

  /** With a limit such as 512m. Undefined where the system lets this user make none. */
  static make(limit: string): MemoryGroup | undefined {
    const version = versions.find(({ root, mark }) => existsSync(join(root, mark)))
    if (!version) return undefined
    const folder = join(version.root, `tilth-${process.pid}-${limit}`)
    try {
      mkdirSync(folder)
      for (const file of version.limits)
        if (existsSync(join(folder, file))) writeFileSync(join(folder, file), limit)
      if (version.swap && existsSync(join(folder, version.swap)))
        writeFileSync(join(folder, version.swap), '0')
      return new MemoryGroup(folder, version)
    } catch {
      return undefined
    }
  }

  /** The command that runs another one in the group, from its first byte on. */
  commandFor(program: string, args: readonly string[]): [string, string[]] {
    const joins = `echo $$ > ${this.folder}/cgroup.procs && exec "$@"`
    return ['/bin/sh', ['-c', joins, 'sh', program, ...args]]
  }

  /** The number of processes that the system ended for want of memory. */
  kills(): number {
    const text = readFileSync(join(this.folder, this.version.kills), 'utf8')
    return Number(/^oom_kill (\d+)/m.exec(text)?.[1] ?? 0)
  }

  /** Ends what is left in it. The system needs a moment after the end of its last process. */
  async remove(): Promise<void> {
    for (let tries = 0; existsSync(this.folder) && tries < 100; tries++) {
      this.killAll()
      try {
        rmdirSync(this.folder)
      } catch {
        await delay(50)
      }
    }
  }

  private killAll(): void {
    const pids = readFileSync(join(this.folder, 'cgroup.procs'), 'utf8').split('\n')
    for (const pid of pids.filter((line) => line !== '')) {
      try {
        process.kill(Number(pid), 'SIGKILL')
      } catch {
        // it ended meanwhile
      }
    }
  }
}
