import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGunzip, createGzip } from 'node:zlib'
import { openEngine } from '#engine/open'
import type { FileFormat } from '#engine/engine'
import { exportStatement, type TableFormat } from '#exports/export-statement'
import { type Finding, megabytes, perSecond, report } from './report'
import {
  engineOf,
  eventLoopMs,
  forget,
  memoryOf,
  owned,
  processorMs,
  residentBytes,
  type Running,
  startTilth,
  temporaryFolder,
} from './running'

const { values } = parseArgs({ options: { events: { type: 'string', default: '10000000' } } })
const events = Number(values.events)
const folder = temporaryFolder()
const historyFile = join(folder, 'events.jsonl.gz')

const pages = ['/', '/pricing', '/docs', '/blog/hello', '/docs/install', '/about', '/changelog', '/login']
const names = ['$pageview', '$pageview', '$pageview', '$pageleave', '$autocapture', 'signed up', 'ordered']

/** A row as PostHog's batch export writes it: some five events a session, and five sessions a person, over a year. */
function historyRow(n: number): string {
  const session = Math.floor(n / 5)
  const person = session % Math.ceil(events / 25)
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')
  const at = new Date(Date.UTC(2025, 0, 1) + Math.floor((n / events) * 365 * 86_400_000)).toISOString()
  const path = pages[n % pages.length] ?? '/'
  return JSON.stringify({
    uuid: `01940000-${hex(n % 65_536, 4)}-7000-8000-${hex(n, 12)}`,
    event: names[n % names.length],
    distinct_id: `visitor-${hex(person, 10)}`,
    timestamp: at.replace('T', ' ').replace('Z', '+00:00'),
    properties: JSON.stringify({
      $current_url: `https://www.example.com${path}?page=${n % 40}`,
      $host: 'www.example.com',
      $pathname: path,
      $referrer: n % 3 ? '$direct' : 'https://www.google.com/',
      $session_id: `01940000-0000-7000-8000-${hex(session, 12)}`,
      $browser: n % 4 ? 'Chrome' : 'Safari',
      $browser_version: 120 + (person % 20),
      $os: n % 2 ? 'Mac OS X' : 'Windows',
      $device_type: 'Desktop',
      $screen_width: 1440,
      $screen_height: 900,
      $lib: 'web',
      $lib_version: '1.200.0',
      $geoip_country_code: ['US', 'DE', 'FR', 'IN'][person % 4],
      $geoip_city_name: `City ${person % 500}`,
      plan: ['free', 'team', 'company'][person % 3],
      amount: n % 500,
    }),
    person_id: `01940000-0000-4000-8000-${hex(person, 12)}`,
  })
}

const rowsAtOnce = 1000

function* historyParts(): Generator<string> {
  for (let from = 0; from < events; from += rowsAtOnce) {
    const rows = Array.from({ length: Math.min(rowsAtOnce, events - from) }, (_, n) => historyRow(from + n))
    yield `${rows.join('\n')}\n`
  }
}

/** The least a program does that reads the file: unpack it and parse each line, in this process alone. */
async function bareSeconds(): Promise<number> {
  const began = performance.now()
  let rest = ''
  let rows = 0
  const parsed = (text: string) => {
    // the result of JSON.parse is unknown by nature
    rows += (JSON.parse(text) as { uuid: string }).uuid.length > 0 ? 1 : 0
  }
  const unpacked = createReadStream(historyFile).pipe(createGunzip()).setEncoding('utf8')
  for await (const part of unpacked) {
    const lines = (rest + String(part)).split('\n')
    rest = lines.pop() ?? ''
    lines.forEach(parsed)
  }
  if (rest !== '') parsed(rest)
  if (rows !== events) throw new Error(`The file has ${rows} rows, not ${events}.`)
  return (performance.now() - began) / 1000
}

interface CommandRun {
  seconds: number
  /** The largest resident memory of each process, by its name. */
  most: Record<string, number>
  /** Processor time of each process. */
  spentMs: Record<string, number>
  output: string
}

/** Runs a command of ours beside the Tilth that runs, and looks at both while it does. */
async function runCommand(tilth: Running, words: readonly string[]): Promise<CommandRun> {
  const front = tilth.process.pid ?? 0
  const before = { front: processorMs(front), loop: eventLoopMs(front), engine: processorMs(engineOf(front)) }
  const began = performance.now()
  const child = spawn(process.execPath, ['bin/tilth.js', ...words], {
    env: { ...process.env, PORT: new URL(tilth.address).port, TILTH_DATA: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const most: Record<string, number> = {}
  const spentMs: Record<string, number> = {}
  const look = () => {
    const command = child.pid ?? 0
    const now = { ...memoryOf(front), command: residentBytes(command) }
    for (const [name, bytes] of Object.entries(now)) most[name] = Math.max(most[name] ?? 0, bytes)
    spentMs['command'] = Math.max(spentMs['command'] ?? 0, processorMs(command) || 0)
  }
  const watching = setInterval(look, 100)
  let output = ''
  child.stdout.on('data', (part) => (output += String(part)))
  const [code] = (await once(child, 'close')) as [number | null]
  clearInterval(watching)
  if (code !== 0) throw new Error(`tilth ${words[0]} ended with ${code}: ${output}`)
  spentMs['front'] = processorMs(front) - before.front
  spentMs['loop'] = eventLoopMs(front) - before.loop
  spentMs['engine'] = processorMs(engineOf(front)) - before.engine
  return { seconds: (performance.now() - began) / 1000, most, spentMs, output }
}

const inMicroseconds = (milliseconds = 0): string => `${((milliseconds * 1000) / events).toFixed(0)} µs`
const inSeconds = (seconds: number): string => `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`
const memoryIn = ({ most }: CommandRun): string =>
  `front ${megabytes(most['front'] ?? 0)}, engine ${megabytes(most['engine'] ?? 0)}, command ${megabytes(most['command'] ?? 0)}`

function importFindings(run: CommandRun, bare: number): Finding[] {
  const { stored } = JSON.parse(run.output) as { stored: number }
  if (stored !== events) throw new Error(`${stored} events are stored, not ${events}.`)
  const { front, loop, engine, command } = run.spentMs
  return [
    {
      what: `import of ${events.toLocaleString('en')} PostHog events, JSON lines with gzip`,
      measured: `${inSeconds(run.seconds)}, ${perSecond(events / run.seconds)}`,
      beside: `reading, unpacking and parsing the same file ${inSeconds(bare)}, ${perSecond(events / bare)}: **ratio ${(bare / run.seconds).toFixed(2)}**; until every event is stored`,
    },
    { what: 'largest memory meanwhile', measured: memoryIn(run) },
    {
      what: 'processor time per event',
      measured: `command ${inMicroseconds(command)}, front ${inMicroseconds(front)} (its event loop ${inMicroseconds(loop)}), engine ${inMicroseconds(engine)}`,
      beside: `the bare reader ${inMicroseconds(bare * 1000)}`,
    },
  ]
}

async function exportFindings(run: CommandRun, format: TableFormat, bare: number): Promise<Finding[]> {
  const place = join(folder, format)
  const sizes = await Promise.all(
    (await readdir(place)).map(async (name) => (await stat(join(place, name))).size),
  )
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  return [
    {
      what: `export of the same as ${format === 'jsonl' ? 'JSON lines' : 'Parquet'}`,
      measured: `${inSeconds(run.seconds)}, ${perSecond(events / run.seconds)}`,
      beside: `the engine’s own \`select … format\` of the same months ${inSeconds(bare)}: **ratio ${(bare / run.seconds).toFixed(2)}**; ${sizes.length} files, ${megabytes(bytes)}`,
    },
    { what: 'largest memory meanwhile', measured: memoryIn(run) },
  ]
}

/** The engine alone, without Tilth: the same statements, written to files in the same way. */
async function engineSeconds(formats: readonly (readonly [TableFormat, FileFormat])[]): Promise<number[]> {
  const engine = openEngine({
    form: 'embedded',
    folder: join(folder, 'data', 'engine'),
    childEntry: resolve('dist/engine-child.js'),
    memoryBytes: 3 * 1024 ** 3,
    cores: 2,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  })
  try {
    await engine.ready()
    const seconds: number[] = []
    for (const [format, engineFormat] of formats) {
      const began = performance.now()
      for (let month = 0; month < 12; month++) {
        const period = {
          from: new Date(Date.UTC(2025, month, 1)),
          until: new Date(Date.UTC(2025, month + 1, 1)),
        }
        const file = await engine.queryFile(exportStatement(1, 'events', { period, format }), engineFormat, {
          deadlineMs: 3_600_000,
          projectId: 1,
        })
        await pipeline(Readable.from(file.content), createWriteStream(join(folder, 'bare-export')))
      }
      seconds.push((performance.now() - began) / 1000)
    }
    return seconds
  } finally {
    await engine.close()
  }
}

try {
  await pipeline(Readable.from(historyParts()), createGzip({ level: 1 }), createWriteStream(historyFile))
  const bareBefore = await bareSeconds()
  const tilth = await startTilth(join(folder, 'data'), owned)
  const runs: CommandRun[] = []
  try {
    runs.push(await runCommand(tilth, ['import', 'posthog', historyFile, '--json']))
    for (const format of ['jsonl', 'parquet'])
      runs.push(
        await runCommand(tilth, [
          'export',
          join(folder, format),
          '--format',
          format,
          '--table',
          'events',
          '--json',
        ]),
      )
  } finally {
    await tilth.stop()
  }
  const bare = (bareBefore + (await bareSeconds())) / 2
  const [bareLines = 0, bareParquet = 0] = await engineSeconds([
    ['jsonl', 'JSONEachRow'],
    ['parquet', 'Parquet'],
  ])
  const [imported, lines, parquet] = runs
  if (!imported || !lines || !parquet) throw new Error('A command was not run.')
  report(
    'switching',
    'A history that comes and goes',
    [
      ...importFindings(imported, bare),
      ...(await exportFindings(lines, 'jsonl', bareLines)),
      ...(await exportFindings(parquet, 'parquet', bareParquet)),
    ],
    [
      `Without \`--events\` it imports ten million; the figures above are of ${events.toLocaleString('en')}. The file has ${megabytes(statSync(historyFile).size)}, ` +
        'and 17 properties an event, a visitor of a session as PostHog’s clients send them. The bare reader is the mean of one run before and one after.',
    ],
  )
} finally {
  forget(folder)
}
