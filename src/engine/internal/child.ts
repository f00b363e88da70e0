import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import path from 'node:path'
import { exitWithParent } from '#processes/parent'
import { type Confinement, confine, keepOpen } from '../confinement'
import type { SystemCall } from './landlock'

/**
 * The engine's process: a ClickHouse server from npm's chdb, which is clickhouse-local in listening mode. It is
 * crash-only: it ends by SIGKILL, and everything acknowledged is on disk by then.
 */

/** The only argument of this process, as JSON. */
export interface EngineProcessOptions {
  folder: string
  data: string
  work: string
  configuration: string
  /** The previous port, which is kept if it is still free. */
  port?: number
  /** Set after the process has confined itself and executed itself again. */
  confined?: { as: Confinement; port: number }
}

/** The report to the parent. If the engine ends, its reason is on stderr, because it often ends the process too. */
export type EngineProcessReport = { listensOn: number; confinement: Confinement } | { unsupported: string }

/** A query that never ends keeps the listening session alive; it wakes up once in three seconds. */
const keepAliveQuery = 'SELECT sleepEachRow(3) FROM system.numbers SETTINGS max_block_size = 1 FORMAT Null'

/** The channel to the parent: the fourth descriptor that server-process.ts passes, after the standard three. */
const channel = 3

async function main(): Promise<void> {
  exitWithParent()
  // a Ctrl-C or a `systemctl stop` reaches every process; this one continues until its parent has written everything
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  // only server-process.ts starts this file, and it wrote the argument
  const options = JSON.parse(process.argv[2] ?? '') as EngineProcessOptions
  try {
    await run(options, options.confined ?? (await enterConfinement(options)))
  } catch (problem) {
    await reportToParent({ unsupported: String(problem instanceof Error ? problem.stack : problem) })
  }
  process.kill(process.pid, 'SIGKILL')
}

async function run(
  options: EngineProcessOptions,
  { as, port }: NonNullable<EngineProcessOptions['confined']>,
): Promise<void> {
  const serve = await loadEngine()
  await reportToParent({ listensOn: port, confinement: as })
  process.stderr.write(await serve(argumentsFor(options, port)))
}

/**
 * Confines this process and executes it again, so that all of its threads are confined. Returns if that is impossible,
 * which is on Node before 22.15 and outside Linux.
 */
async function enterConfinement(
  options: EngineProcessOptions,
): Promise<NonNullable<EngineProcessOptions['confined']>> {
  const port = await freePort(options.port)
  const { folder, data, work } = options
  const call = await systemCall()
  const as = confine({ folder, data, work, port, programs: await programs() }, call)
  const confined = { as, port }
  if (!call) return confined
  if (typeof process.execve !== 'function') {
    as.weaknesses.push(`Node ${process.versions.node} has threads outside; from 22.15 on it has none.`)
    return confined
  }
  keepOpen(channel, call)
  process.chdir(work)
  const again = [process.execPath, process.argv[1] ?? '', JSON.stringify({ ...options, confined })]
  return process.execve(process.execPath, again, { ...environmentIn(work), NODE_CHANNEL_FD: String(channel) })
}

/** The environment of the engine: the parent's, with every folder set to the working folder. */
const environmentIn = (work: string): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_ENV: 'production',
  // Node exits if it may not read the system's OpenSSL configuration; the engine does not use TLS
  OPENSSL_CONF: '/dev/null',
  HOME: work,
  TMPDIR: work,
})

/** The files of this program and of its libraries. */
async function programs(): Promise<string[]> {
  const { libchdbPath } = await import('chdb/libchdb')
  const entry = realpathSync(process.argv[1] ?? '')
  const library = realpathSync(libchdbPath())
  const libraries = (process.env['LD_LIBRARY_PATH'] ?? '').split(':').filter(Boolean)
  const packages = createRequire(entry).resolve('ffi-rs')
  return [
    process.execPath,
    path.dirname(entry),
    ...descriptionsAbove(entry),
    path.dirname(library),
    ...[library, packages].flatMap((file) => packagesAround(realpathSync(file))),
    ...libraries,
  ]
}

/** Node reads the nearest package.json to find out the module type of a file. */
function descriptionsAbove(file: string): string[] {
  const folder = path.dirname(file)
  const description = path.join(folder, 'package.json')
  if (existsSync(description)) return [description]
  return folder === path.dirname(folder) ? [] : descriptionsAbove(folder)
}

function packagesAround(file: string): string[] {
  const at = file.lastIndexOf(`${path.sep}node_modules${path.sep}`)
  return at < 0 ? [] : [file.slice(0, at + '/node_modules'.length)]
}

/** The C library's `syscall` function on Linux. */
async function systemCall(): Promise<SystemCall | undefined> {
  if (process.platform !== 'linux') return undefined
  const { DataType, load, open } = await import('ffi-rs')
  open({ library: 'libc', path: 'libc.so.6' })
  return (number, ...args) => {
    const outcome = load({
      library: 'libc',
      funcName: 'syscall',
      retType: DataType.I64,
      errno: true,
      paramsType: [
        DataType.I64,
        ...args.map((arg) => (typeof arg === 'number' ? DataType.I64 : DataType.U8Array)),
      ],
      paramsValue: [number, ...args.map((arg) => (typeof arg === 'number' ? arg : Buffer.from(arg)))],
    })
    // ffi-rs returns both values because of `errno`
    const { value, errnoMessage } = outcome as unknown as { value: number; errnoMessage: string }
    return { value, error: errnoMessage }
  }
}

/** Imported lazily, so that a missing native package becomes a report instead of a stack trace. */
async function loadEngine(): Promise<(args: string[]) => Promise<string>> {
  const { libchdbPath } = await import('chdb/libchdb')
  const { DataType, load, open } = await import('ffi-rs')
  const library = 'chdb'
  open({ library, path: libchdbPath() })

  return async (args) => {
    // runs on a thread of its own, because this thread must notice when the parent ends
    const result = await load({
      library,
      funcName: 'chdb_query_cmdline',
      retType: DataType.External,
      paramsType: [DataType.I32, DataType.StringArray],
      paramsValue: [args.length, args],
      runInNewThread: true,
    })
    return load({
      library,
      funcName: 'chdb_result_error',
      retType: DataType.String,
      paramsType: [DataType.External],
      paramsValue: [result],
    })
  }
}

function argumentsFor(options: EngineProcessOptions, port: number): string[] {
  return [
    'clickhouse',
    `--path=${options.data}`,
    `--config-file=${options.configuration}`,
    '--listen_host=127.0.0.1',
    `--http_port=${port}`,
    '--query',
    `SYSTEM START LISTEN HTTP; ${keepAliveQuery}`,
  ]
}

async function freePort(preferred = 0): Promise<number> {
  const server = createServer()
  try {
    return await new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(preferred, '127.0.0.1', () => {
        const address = server.address()
        if (address && typeof address === 'object') resolve(address.port)
      })
    })
  } catch (problem) {
    if (preferred === 0) throw problem
    return await freePort()
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}

/** Waits until the report is sent, because the process may end right after it. */
function reportToParent(report: EngineProcessReport): Promise<void> {
  return new Promise((resolve) => process.send?.(report, () => resolve()))
}

await main()
