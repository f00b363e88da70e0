import autocannon from 'autocannon'
import { bareServer } from './bare'
import { firstStart } from './first-start'
import { megabytes, ms, perSecond, quantile, report } from './report'
import { forget, memoryOf, startTilth, temporaryFolder } from './running'

const folder = temporaryFolder()
const health = '/_tilth/health'

/** Starting again on what is there, the way most starts are. */
async function startsMs(times: number): Promise<number[]> {
  await (await startTilth(folder)).stop()
  const found = []
  for (let n = 0; n < times; n++) {
    const tilth = await startTilth(folder)
    found.push(tilth.readyMs)
    await tilth.stop()
  }
  return found
}

const hammer = (url: string, connections: number, seconds: number) =>
  autocannon({ url, connections, duration: seconds, headers: { accept: 'text/html' } })

/** One query after the other, as a watcher would ask, so that waiting is seen and not queueing. */
async function askedOneByOne(url: string, times: number): Promise<number[]> {
  const took = []
  for (let n = 0; n < times; n++) {
    const began = performance.now()
    await (await fetch(url)).arrayBuffer()
    took.push(performance.now() - began)
  }
  return took
}

const first = await firstStart(folder)
const starts = await startsMs(5)
const tilth = await startTilth(folder)
const bare = await bareServer("response.end('hello')")
try {
  await new Promise((resolve) => setTimeout(resolve, 10_000))
  const memory = memoryOf(tilth.process.pid ?? 0)

  await hammer(tilth.address + health, 32, 2)
  await hammer(bare.address, 32, 2)
  const rates = []
  for (let round = 0; round < 3; round++) {
    const ours = await hammer(tilth.address + health, 32, 4)
    const result = await hammer(bare.address, 32, 4)
    rates.push({ ours: ours.requests.average, theirs: result.requests.average })
  }
  const best = rates.toSorted((a, b) => b.ours / b.theirs - a.ours / a.theirs)[1] ?? { ours: 0, theirs: 1 }

  const idle = await askedOneByOne(tilth.address + health, 3000)
  const pages = hammer(`${tilth.address}/studio/sign-in`, 2, 15)
  const besidePages = await askedOneByOne(tilth.address + health, 3000)
  const rendered = await pages

  report(
    'start',
    'Starting, resting, and answering while pages render',
    [
      ...first,
      {
        what: 'ready on an existing data folder',
        measured: ms(quantile(starts, 0.5)),
        beside: `median of ${starts.length}; from the command to ready and the first page`,
      },
      {
        what: 'resident memory at rest: front',
        measured: megabytes(memory['front'] ?? 0),
        beside: 'after 10 s',
      },
      { what: 'resident memory at rest: pages', measured: megabytes(memory['pages'] ?? 0) },
      {
        what: 'resident memory at rest: engine',
        measured: megabytes(memory['engine'] ?? 0),
        beside: 'about 200 MB of it is the library’s file, shared and reclaimable',
      },
      {
        what: '`/_tilth/health`, 32 connections',
        measured: perSecond(best.ours),
        beside: `bare \`node:http\` hello ${perSecond(best.theirs)}: **ratio ${(best.ours / best.theirs).toFixed(2)}** (hoped for: 0.6); middle one of 3 rounds`,
      },
      {
        what: '`/_tilth/health`, one at a time',
        measured: `p50 ${ms(quantile(idle, 0.5))}, p99 ${ms(quantile(idle, 0.99))}`,
      },
      {
        what: '`/_tilth/health` while pages render',
        measured: `p50 ${ms(quantile(besidePages, 0.5))}, p99 ${ms(quantile(besidePages, 0.99))}`,
        beside: `2 connections rendering the sign-in page, ${perSecond(rendered.requests.average)}`,
      },
    ],
    [
      'The load is made on the same two cores, by the process that measures; both sides of a ratio suffer from that alike.',
    ],
  )
} finally {
  bare.process.kill()
  await tilth.stop()
  forget(folder)
}
