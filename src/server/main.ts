import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { divideMemory } from '#engine/budget'
import { type Config, type EnvironmentVariables, readConfig } from './config'
import { type StartedParts, Shutdown } from './start/shutdown'
import { type Log, openLog } from './log'
import { nativePackages, troubleWith } from './start/native-packages'
import { limitHeap } from '#http/node-limits'
import { StartError } from './start/start-error'

/** Where the compiled programs and the built pages are. */
export interface Installation {
  /** Holds `.next`. */
  root: string
  programs: string
}

/**
 * Starts Tilth and keeps it running until a signal ends it. What can be refused is refused first, before anything is
 * opened, made or changed; the rest is the list in `start-steps.ts`.
 */
export async function start(
  environment: EnvironmentVariables,
  installation: Installation,
  options: { demo: boolean },
): Promise<void> {
  const beganAt = performance.now()
  // The data folder may be open to the engine's group; what is in it is not.
  process.umask(0o077)
  const config = await requireStartable(environment, installation).catch((problem: unknown) =>
    refuseToStart(problem),
  )
  await limitHeap(divideMemory(config.memoryBytes).frontHeapBytes, environment)
  const log = openLog({ level: config.logLevel, format: logForm() })
  const started: StartedParts = {}
  const shutdown = new Shutdown(started, log)
  shutDownOnSignals(shutdown, log)
  try {
    // imported only now, because without its native packages it cannot even be loaded
    const { runStartSteps } = await import('./start/start-steps')
    await runStartSteps({ config, environment, installation, options, log, started, shutdown, beganAt })
  } catch (problem) {
    // a stop during the start makes it fail, which is no reason to report
    if (!shutdown.hasBegun) refuseToStart(problem, started)
  }
}

/** The settings, once it is clear that nothing but the outside world can still keep Tilth from starting. */
async function requireStartable(
  environment: EnvironmentVariables,
  installation: Installation,
): Promise<Config> {
  const config = readSettings(environment)
  refuseMissingBuild(installation)
  await refuseMissingPackages(config)
  return config
}

export const logForm = (): 'lines' | 'json' => (process.stdout.isTTY ? 'lines' : 'json')

function readSettings(environment: EnvironmentVariables): Config {
  const reading = readConfig(environment)
  if (reading.readable) return reading.config
  throw new StartError(reading.problems.join('\n'))
}

function refuseMissingBuild({ root, programs }: Installation): void {
  const missing = builtFiles({ root, programs }).find((file) => !existsSync(file))
  if (!missing) return
  throw new StartError(
    `${missing} is missing: in a clone run npm start, which builds it; else install Tilth again.`,
  )
}

/** What must have been built, besides the program that asks. */
export const builtFiles = ({ root, programs }: Installation): string[] => [
  join(programs, 'pages.js'),
  join(programs, 'engine-child.js'),
  join(root, '.next', 'BUILD_ID'),
]

async function refuseMissingPackages(config: Config): Promise<void> {
  const needed = nativePackages.filter(({ isNeeded }) => isNeeded(config))
  const troubles = await Promise.all(needed.map(troubleWith))
  const [trouble] = troubles.filter((words) => words !== undefined)
  if (trouble) throw new StartError(trouble)
}

/**
 * A second signal ends the process at once; acknowledged events are on disk already. A signal within this time is taken
 * for the first one: npm passes Ctrl-C on to a program that the terminal has sent it to already.
 */
const repeatedSignalMs = 1000

function shutDownOnSignals(shutdown: Shutdown, log: Log): void {
  let signalledAt: number | undefined
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      signalledAt ??= performance.now()
      if (performance.now() - signalledAt > repeatedSignalMs) process.exit(1)
      if (shutdown.hasBegun) return
      log.info({ signal }, 'stopping')
      void shutdown.end(0)
    })
  }
  // The process manager restarts Tilth. After a bug of this kind, the process must not go on taking events
  for (const surprise of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(surprise, (problem: unknown) => {
      log.fatal({ err: problem, surprise }, 'unexpected error')
      void shutdown.end(1)
    })
  }
}

function refuseToStart(problem: unknown, started: StartedParts = {}): never {
  const isRefusal = problem instanceof Error && ['StartRefused', 'StoreRefused'].includes(problem.name)
  const words = problem instanceof Error ? (isRefusal ? problem.message : problem.stack) : String(problem)
  process.stderr.write(`Tilth does not start. ${words}\n`)
  started.folder?.release('never-started')
  process.exit(1)
}
