// Loaded into the front with `--import`: writes a line for each turn of its event loop that takes the processor for long,
// with the functions that ran, and now and then one with the size of its heap. The clock proves nothing on a busy machine.
import { appendFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { isMainThread } from 'node:worker_threads'
import { runInNewContext } from 'node:vm'
import { setFlagsFromString } from 'node:v8'

const { SOAK_WATCH_FILE: file, SOAK_LONG_TURN_MS: longMs, SOAK_LOOK_EVERY_MS: lookEveryMs } = process.env
const sampleEveryMicros = 1000
const turnEveryMs = 2

const isFront =
  process.argv[2] === 'start' && process.execArgv.some((word) => word.startsWith('--max-old-space-size'))
if (file && isFront && isMainThread) watch()

function watch() {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc')
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.setSamplingInterval', { interval: sampleEveryMicros })
  session.post('Profiler.start')

  let last = now()
  let turns = 0
  let long = []
  setInterval(() => {
    const turn = { from: last.clock, to: now().clock, ms: (now().used - last.used) / 1000 }
    turns++
    if (turn.ms > Number(longMs)) long.push(turn)
    last = now()
  }, turnEveryMs).unref()
  setInterval(look, Number(lookEveryMs)).unref()

  // its own work belongs to no turn
  function look() {
    session.post('Profiler.stop', (problem, { profile }) => {
      for (const turn of long)
        write({ turn: { ms: turn.ms, at: turn.from / 1e6, path: pathOf(profile, turn) } })
      session.post('Profiler.start')
    })
    collectGarbage()
    write({ heapBytes: process.memoryUsage().heapUsed, turns })
    long = []
    last = now()
  }
}

/** Both in microseconds. */
function now() {
  const { user, system } = process.threadCpuUsage()
  return { used: user + system, clock: Number(process.hrtime.bigint() / 1000n) }
}

const write = (line) => appendFileSync(file, `${JSON.stringify(line)}\n`)

/** The functions that had most of a turn's time, each called by the one before it. */
function pathOf({ nodes, samples, timeDeltas, startTime }, { from, to }) {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const micros = new Map()
  let at = startTime
  samples.forEach((id, n) => {
    at += timeDeltas[n]
    if (at < from || at > to) return
    for (let each = id; each !== undefined; each = parents.get(each))
      micros.set(each, (micros.get(each) ?? 0) + (timeDeltas[n + 1] ?? sampleEveryMicros))
  })
  const path = []
  for (let node = nodes[0]; node; node = heaviest(node)) {
    const { functionName, url, lineNumber, columnNumber } = node.callFrame
    path.push({
      name: functionName,
      url,
      line: lineNumber,
      column: columnNumber,
      ms: micros.get(node.id) / 1000,
    })
  }
  return path.slice(1)

  function heaviest({ id, children = [] }) {
    const [child] = children.toSorted((one, other) => (micros.get(other) ?? 0) - (micros.get(one) ?? 0))
    return (micros.get(child) ?? 0) > micros.get(id) / 3 ? byId.get(child) : undefined
  }
}
