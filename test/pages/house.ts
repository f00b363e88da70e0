import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { Delivered } from '../../src/wire/dialect'
import { operator } from '../../src/projects/access'
import { readConfig } from '../../src/server/config'
import { openFront } from '../../src/server/front'
import { openLog } from '../../src/server/log'
import { startPages } from '../../src/server/pages-child'
import { servePersonally } from '../../src/server/personal-pages'
import { openProduct, type Product } from '../../src/server/product'
import { openVisiting } from '../../src/server/visiting'
import { realWorld } from '../../src/world/world'
import { aHouse as anIngestHouse } from '../ingest-house'
import { appFolder, builtApp, pagesProgram } from './built-app'

/** A site without a host of its own is where Tilth is. */
const reachingOut = { allow: undefined, canMail: false, addresses: ['http://127.0.0.1'] }

export type House = Awaited<ReturnType<typeof aHouse>>

/** The real front with the built pages behind it, which may still be starting, and all that either of them logs. */
export async function aHouse() {
  await builtApp()
  const dataFolder = mkdtempSync(join(tmpdir(), 'tilth-test-'))
  const logged: LogLine[] = []
  const output = new PassThrough().on('data', (lines) => logged.push(...read(String(lines))))
  const log = openLog({ level: 'debug', form: 'json', destination: output })
  const product = await openProduct({ store: { folder: dataFolder }, reachingOut })
  const projectId = await aProject(product)

  const pages = startPages({
    program: pagesProgram,
    folder: appFolder,
    dataFolder,
    store: { folder: dataFolder },
    reachingOut,
    log: { level: 'debug', form: 'json' },
    report: log,
    output,
  })
  const noted: Delivered[] = []
  const intake = {
    house: await anIngestHouse(realWorld),
    takeTogether: async (deliveries: readonly Delivered[]) => {
      noted.push(...deliveries)
      return { taken: true as const, receipts: [] }
    },
  }
  const visiting = openVisiting({ product, intake, pages, maxBytes: 8_000_000, log })
  const { site } = visiting
  const front = await openFront({
    config: configFor(dataFolder),
    house: {
      pages: {
        ...pages,
        serve: (request, response, personally) => servePersonally(request, response, pages, personally),
      },
      // what is provoked is passed on as the studio's pages are, but for what is decided
      site: { ...site, owns: (path) => !/^\/provoked\/(?!decided)/.test(path) && site.owns(path) },
    },
    log,
  })

  return {
    address: `http://127.0.0.1:${front.port}`,
    pages,
    product,
    projectId,
    /** What visits left behind. */
    noted,
    logged,
    async close() {
      await front.drain()
      await visiting.close()
      await pages.stop()
      await product.close()
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}

async function aProject({ projects }: Product): Promise<number> {
  const outcome = await projects.create({ name: 'Garden' }, operator('tests'))
  if (!outcome.done) throw new Error('There is no project.')
  return outcome.project.id
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
