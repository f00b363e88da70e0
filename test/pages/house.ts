import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { readConfig } from '../../src/server/config'
import { openFront } from '../../src/server/front'
import { openLog } from '../../src/server/log'
import { openPageCache } from '../../src/server/page-cache'
import { startPages } from '../../src/server/pages-child'
import { appFolder, builtApp, pagesProgram } from './built-app'

export type House = Awaited<ReturnType<typeof aHouse>>

/** The real front with the built pages behind it, which may still be starting, and all that either of them logs. */
export async function aHouse() {
  await builtApp()
  const dataFolder = mkdtempSync(join(tmpdir(), 'tilth-test-'))
  const logged: LogLine[] = []
  const output = new PassThrough().on('data', (lines) => logged.push(...read(String(lines))))
  const log = openLog({ level: 'debug', form: 'json', destination: output })

  const pages = startPages({
    program: pagesProgram,
    folder: appFolder,
    dataFolder,
    store: { folder: dataFolder },
    log: { level: 'debug', form: 'json' },
    report: log,
    output,
  })
  const cache = openPageCache({ pages, maxBytes: 8_000_000 })
  const front = await openFront({
    config: configFor(dataFolder),
    house: { pages: { ...pages, ...cache } },
    log,
  })

  return {
    address: `http://127.0.0.1:${front.port}`,
    pages,
    cache,
    logged,
    async close() {
      await front.drain()
      await pages.stop()
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}

function configFor(dataFolder: string) {
  const reading = readConfig({ PORT: '0', TILTH_HOST: '127.0.0.1', TILTH_DATA: dataFolder })
  if (!reading.readable) throw new Error(reading.problems.join(' '))
  return reading.config
}

export interface LogLine {
  level: string
  msg: string
  [detail: string]: unknown
}

// Both processes write whole lines at a time, and these pipes keep a line together.
const read = (lines: string): LogLine[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LogLine) // our own log wrote it
