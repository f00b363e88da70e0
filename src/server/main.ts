import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, type Environment, readConfig } from './config'
import { type Begun, Ending } from './ending'
import { type Log, openLog } from './log'
import { nativePackages, troubleWith } from './native-packages'
import { StartRefused } from './start-refused'

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
  environment: Environment,
  installation: Installation,
  wishes: { demo: boolean },
): Promise<void> {
  const beganAt = performance.now()
  const config = await startable(environment, installation).catch((problem: unknown) =>
    refuseToStart(problem),
  )
  const log = openLog({ level: config.logLevel, form: logForm() })
  const begun: Begun = {}
  const ending = new Ending(begun, log)
  endOnSignals(ending, log)
  try {
    // imported only now, because without its native packages it cannot even be loaded
    const { begin } = await import('./start-steps')
    await begin({ config, installation, wishes, log, begun, ending, beganAt })
  } catch (problem) {
    // what was told to stop while it started fails for that very reason
    if (!ending.hasBegun) refuseToStart(problem, begun)
  }
}

/** The settings, once it is clear that nothing but the outside world can still keep Tilth from starting. */
async function startable(environment: Environment, installation: Installation): Promise<Config> {
  const config = readSettings(environment)
  refuseMissingBuild(installation)
  await refuseMissingPackages(config)
  return config
}

export const logForm = (): 'lines' | 'json' => (process.stdout.isTTY ? 'lines' : 'json')

function readSettings(environment: Environment): Config {
  const reading = readConfig(environment)
  if (reading.readable) return reading.config
  throw new StartRefused(reading.problems.join('\n'))
}

function refuseMissingBuild({ root, programs }: Installation): void {
  const missing = builtFiles({ root, programs }).find((file) => !existsSync(file))
  if (!missing) return
  throw new StartRefused(
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
  if (trouble) throw new StartRefused(trouble)
}

/**
 * A second signal means that somebody is out of patience; what was promised is on disk, so there is no harm in it. One
 * that follows at once is the same wish: npm hands Ctrl-C on to a program that got it from the terminal already.
 */
const sameWishMs = 1000

function endOnSignals(ending: Ending, log: Log): void {
  let wishedAt: number | undefined
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      wishedAt ??= performance.now()
      if (performance.now() - wishedAt > sameWishMs) process.exit(1)
      if (ending.hasBegun) return
      log.info({ signal }, 'stopping')
      void ending.end(0)
    })
  }
  // Whoever looks after us starts us again; a process that has seen the impossible must not go on taking events
  for (const surprise of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(surprise, (problem: unknown) => {
      log.fatal({ err: problem, surprise }, 'something went wrong that nobody expected')
      void ending.end(1)
    })
  }
}

function refuseToStart(problem: unknown, begun: Begun = {}): never {
  const isRefusal = problem instanceof Error && ['StartRefused', 'StoreRefused'].includes(problem.name)
  const words = problem instanceof Error ? (isRefusal ? problem.message : problem.stack) : String(problem)
  process.stderr.write(`Tilth does not start. ${words}\n`)
  begun.folder?.release('never-started')
  process.exit(1)
}
