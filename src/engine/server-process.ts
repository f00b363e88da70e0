import { fork, type ChildProcess } from 'node:child_process'
import type { EngineProcessOptions, EngineProcessReport } from './child'
import { engineLayout } from './configuration'

/** One ClickHouse server in a process of its own, as its parent sees it. */
export interface ServerProcess {
  process: ChildProcess
  /** What it said last, for people: the engine's own exception says more than its crash handler does after it. */
  lastWords: () => string
}

/** Where libraries are. The engine inherits nothing else of the environment. */
const inheritedVariables = ['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'CHDB_LIBCHDB_PATH']

/** Starts a server on a folder that `writeConfiguration` has prepared; `port` is where it listened before. */
export function startServer(
  { folder, childEntry, port }: { folder: string; childEntry: string; port?: number },
  onReport: (report: EngineProcessReport) => void,
): ServerProcess {
  const { data, work, configuration } = engineLayout(folder)
  const options: EngineProcessOptions = { folder, data, work, configuration, port }
  const child = fork(childEntry, [JSON.stringify(options)], {
    // A process group of its own, or a Ctrl-C would reach the engine before the journal is written out.
    detached: true,
    cwd: folder,
    execArgv: [],
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let output = ''
  child.stderr?.on('data', (words) => {
    output = (output + String(words)).slice(-8192)
    // It is over then, but what handles crashes takes seconds to find that out.
    if (isLockedMessage(output)) child.kill('SIGKILL')
  })
  // Only child.ts speaks on this channel.
  child.on('message', (report) => onReport(report as EngineProcessReport))
  return { process: child, lastWords: () => exceptionIn(output) }
}

/** Whether another engine has the folder. */
export function isLockedMessage(words: string): boolean {
  return words.includes('Cannot lock file')
}

function environment(): NodeJS.ProcessEnv {
  // The engine takes its time zone from here, whatever its configuration says.
  const env: NodeJS.ProcessEnv = { NODE_ENV: 'production', TZ: 'UTC' }
  for (const name of inheritedVariables) if (process.env[name] !== undefined) env[name] = process.env[name]
  return env
}

function exceptionIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim())
  return (lines.find((line) => line.includes('DB::Exception')) ?? lines.at(-1) ?? '').slice(0, 500)
}
