import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { RunnableBuild } from '#site-kit/site-kit'
import { divideMemory } from '#engine/budget'
import { type Config, type EnvironmentVariables, readConfig } from './config'
import { type StartedParts, Shutdown } from './start/internal/shutdown'
import { type Log, openLog } from './log'
import { nativePackages, troubleWith } from './start/internal/native-packages'
import { mayKeepSourceMaps, limitHeap } from '#http/node-limits'
import { StartError } from './start/internal/start-error'

/** The folders of the compiled programs and the built pages. */
export interface Installation {
  /** The folder with `.next`. */
  root: string
  programs: string
}

export interface StartOptions {
  /** Whether a project is filled with sample data. */
  demo: boolean
  /** Whether a team is at work on the site folder: pages show its mistakes, and browsers reload. */
  isDev: boolean
}

/** The settings of a build of the site folder. It gets the same React as Tilth. */
export const kitBuildOf = (
  build: Pick<RunnableBuild, 'folder' | 'output' | 'isDev'>,
  { programs }: Installation,
): RunnableBuild => ({
  ...build,
  program: join(programs, 'site-kit-build.js'),
  runtime: join(programs, 'site-kit'),
  packages: dirname(dirname(createRequire(import.meta.url).resolve('react/package.json'))),
})

/**
 * Starts Tilth and runs until a signal ends it. Everything that can fail without side effects is checked first; the
 * rest is the list in `start-steps.ts`.
 */
export async function start(
  environment: EnvironmentVariables,
  installation: Installation,
  options: StartOptions,
): Promise<void> {
  const beganAt = performance.now()
  // the data folder may be open to the engine's group; its content is not
  process.umask(0o077)
  const config = await requireStartable(environment, installation).catch((problem: unknown) =>
    refuseToStart(problem),
  )
  const { frontHeapBytes } = divideMemory(config.memoryBytes)
  await limitHeap(frontHeapBytes, environment)
  process.setSourceMapsEnabled(mayKeepSourceMaps(frontHeapBytes))
  const log = openLog({ level: config.logLevel, format: logForm() })
  const started: StartedParts = {}
  const exit = (code: number): never => process.exit(code)
  const shutdown = new Shutdown(started, log, { drainMs: config.drainMs, exit })
  shutDownOnSignals(shutdown, log)
  try {
    // imported late, because it cannot be loaded without its native packages
    const { runStartSteps } = await import('./start/internal/start-steps')
    await runStartSteps({ config, environment, installation, options, log, started, shutdown, beganAt })
  } catch (problem) {
    // a stop during the start makes it fail, which needs no report
    if (!shutdown.hasBegun) refuseToStart(problem, started)
  }
}

/** Returns the settings once everything that this machine can check is in order. */
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

/** The files that the build must have made, besides the running program. */
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
 * A second signal ends the process at once; acknowledged events are on disk already. Within this time a signal counts
 * as the first one again: npm passes Ctrl-C on to a program that the terminal has already sent it to.
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
      // the others come from people, who do not want to wait
      void shutdown.end(0, { isAnnounced: signal === 'SIGTERM' })
    })
  }
  // The process manager restarts Tilth. After such a bug, the process must not continue to accept events.
  for (const surprise of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(surprise, (problem: unknown) => {
      log.fatal({ err: problem, surprise }, 'unexpected error')
      void shutdown.end(1)
    })
  }
}

function refuseToStart(problem: unknown, started: StartedParts = {}): never {
  const isRefusal = problem instanceof Error && ['StartError', 'StoreRefusedError'].includes(problem.name)
  const words = problem instanceof Error ? (isRefusal ? problem.message : problem.stack) : String(problem)
  process.stderr.write(`Tilth does not start. ${words}\n`)
  started.folder?.release('never-started')
  process.exit(1)
}
