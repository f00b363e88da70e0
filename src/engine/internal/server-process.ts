import type { ChildProcess } from 'node:child_process'
import { forkProgram } from '#processes/fork-program'
import type { EngineProcessOptions, EngineProcessReport } from './child'
import type { EngineBudget } from '../budget'
import { engineLayout } from './configuration'

/** The process of one ClickHouse server, as its parent sees it. */
export interface ServerProcess {
  process: ChildProcess
  /** The last error output for people: the engine's own exception says more than its crash handler afterwards. */
  lastWords: () => string
}

/** The paths of libraries. The engine inherits no other environment variables. */
const inheritedVariables = ['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'CHDB_LIBCHDB_PATH']

interface EngineStart {
  folder: string
  childEntry: string
  budget: Pick<EngineBudget, 'returnsFreedMemory'>
  port?: number
}

/** Starts a server on a folder prepared by `writeConfiguration`; `port` is its previous port. */
export function startServer(
  { folder, childEntry, budget, port }: EngineStart,
  onReport: (report: EngineProcessReport) => void,
): ServerProcess {
  const { data, work, configuration } = engineLayout(folder)
  const options: EngineProcessOptions = { folder, data, work, configuration, port }
  const child = forkProgram(childEntry, [JSON.stringify(options)], {
    // a process group of its own; otherwise a Ctrl-C would reach the engine before the journal is stored
    detached: true,
    cwd: folder,
    execArgv: [],
    env: environmentFor(budget),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let output = ''
  child.stderr?.on('data', (words) => {
    output = (output + String(words)).slice(-8192)
    // the engine cannot start, but its crash handler would take seconds
    if (isLockedMessage(output)) child.kill('SIGKILL')
  })
  // only child.ts sends on this channel
  child.on('message', (report) => onReport(report as EngineProcessReport))
  return { process: child, lastWords: () => exceptionIn(output) }
}

/** Whether another engine holds the folder's lock. */
export function isLockedMessage(words: string): boolean {
  return words.includes('Cannot lock file')
}

/**
 * A setting of the engine's allocator, jemalloc. By default it keeps freed memory for five seconds: under a stream of
 * inserts 244 MB instead of 135.
 */
const returnFreedMemory = { JE_MALLOC_CONF: 'dirty_decay_ms:0,muzzy_decay_ms:0' }

function environmentFor({ returnsFreedMemory }: EngineStart['budget']): NodeJS.ProcessEnv {
  // the engine takes its time zone from TZ, whatever its configuration says
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: 'production',
    TZ: 'UTC',
    ...(returnsFreedMemory ? returnFreedMemory : {}),
  }
  for (const name of inheritedVariables) if (process.env[name] !== undefined) env[name] = process.env[name]
  return env
}

function exceptionIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim())
  return (lines.find((line) => line.includes('DB::Exception')) ?? lines.at(-1) ?? '').slice(0, 500)
}
