import { createServer } from 'node:net'
import { dieWithParent } from '../processes/parent'

/**
 * The engine's own process: a ClickHouse server out of npm's chdb, which is clickhouse-local told to listen.
 * Crash-only: it ends by SIGKILL, and everything it has answered for is on disk by then.
 */

/** What this process is told at its start, as its only argument. */
export interface Orders {
  data: string
  configuration: string
  /** Where it listened before, to be kept if it is still free. */
  port?: number
}

/** What it says to its parent. Why the engine itself ended is on stderr, since then it often takes the process along. */
export type Report = { listensOn: number } | { unsupported: string }

/** Keeps the session that listens alive: a query that never ends and costs one wake-up in three seconds. */
const forever = 'SELECT sleepEachRow(3) FROM system.numbers SETTINGS max_block_size = 1 FORMAT Null'

await main()

async function main(): Promise<void> {
  dieWithParent()
  // A Ctrl-C or a `systemctl stop` reaches every process; this one waits until its parent has no more to write.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  await run()
  process.kill(process.pid, 'SIGKILL')
}

async function run(): Promise<void> {
  // server-process.ts wrote it, and nobody else starts this file.
  const orders = JSON.parse(process.argv[2] ?? '') as Orders
  const serve = await loadEngine().catch((problem) => tell({ unsupported: String(problem) }))
  if (!serve) return
  const port = await freePort(orders.port)
  await tell({ listensOn: port })
  process.stderr.write(await serve(argumentsFor(orders, port)))
}

/** Loaded late, so that a missing native package is a report and not a stack trace. */
async function loadEngine(): Promise<(args: string[]) => Promise<string>> {
  const { libchdbPath } = await import('chdb/libchdb')
  const { DataType, load, open } = await import('ffi-rs')
  const library = 'chdb'
  open({ library, path: libchdbPath() })

  return async (args) => {
    // On a thread of its own: this one must hear when the parent is gone.
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

function argumentsFor(orders: Orders, port: number): string[] {
  return [
    'clickhouse',
    `--path=${orders.data}`,
    `--config-file=${orders.configuration}`,
    '--listen_host=127.0.0.1',
    `--http_port=${port}`,
    '--query',
    `SYSTEM START LISTEN HTTP; ${forever}`,
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

/** Waits until it is said, since the next thing this process does may be its last. */
function tell(report: Report): Promise<void> {
  return new Promise((resolve) => process.send?.(report, () => resolve()))
}
