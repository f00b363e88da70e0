import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { EventDelivery } from '#wire/dialect'
import { operator } from '#projects/access'
import { readConfig } from '#server/config'
import { openFront } from '#server/internal/front'
import { openLog } from '#server/log'
import { startPagesProcess } from '#site-serving/pages-process'
import { serveUncached } from '#site-serving/uncached-pages'
import { openProduct, type Product } from '#server/product'
import { openSiteServing } from '#site-serving/site-serving'
import { realWorld } from '#world/world'
import { anIngestContext as anIngestHouse } from '../product/ingest-fixture'
import { appFolder, builtApp, pagesProgram } from './built-app'

/** A site without a host of its own is where Tilth is. */
const outbound = { allow: undefined, canMail: false, addresses: ['http://127.0.0.1'] }

export type TestFront = Awaited<ReturnType<typeof aFront>>

/**
 * The real front with the built pages behind it, which may still be starting, and all that either of them logs. Where
 * it holds them, they start after SIGCONT.
 */
export async function aFront({ workers = 1, holdsPages = false } = {}) {
  await builtApp()
  const dataFolder = mkdtempSync(join(tmpdir(), 'tilth-test-'))
  const logged: LogLine[] = []
  const output = new PassThrough().on('data', (lines) => logged.push(...read(String(lines))))
  const log = openLog({ level: 'debug', format: 'json', destination: output })
  const product = await openProduct({ store: { folder: dataFolder }, outbound })
  const projectId = await aProject(product)

  const pages = startPagesProcess({
    workers,
    program: pagesProgram,
    folder: appFolder,
    dataFolder,
    store: { folder: dataFolder },
    reachingOut: outbound,
    log: { level: 'debug', format: 'json' },
    changeCount: () => product.changes.count(),
    report: log,
    output,
  })
  if (holdsPages) process.kill(pages.health().pid ?? 0, 'SIGSTOP')
  const notedEvents: EventDelivery[] = []
  const intake = {
    context: await anIngestHouse(realWorld),
    acceptTogether: async (deliveries: readonly EventDelivery[]) => {
      notedEvents.push(...deliveries)
      return { taken: true as const, receipts: [] }
    },
  }
  const disk = { folder: join(dataFolder, 'rendered'), build: 'test' }
  const siteServing = await openSiteServing({ product, intake, pages, maxBytes: 8_000_000, disk, log })
  const { site } = siteServing
  const front = await openFront({
    config: testConfig(dataFolder),
    log,
  })
  front.use({
    pages: {
      ...pages,
      serve: (request, response, personally) => serveUncached(request, response, pages, personally),
    },
    // provoked pages are passed on like the studio's, except those with decisions
    site: { ...site, owns: (path) => !/^\/provoked\/(?!decided)/.test(path) && site.owns(path) },
  })

  return {
    address: `http://127.0.0.1:${front.port}`,
    pages,
    product,
    projectId,
    /** The events that visits left behind. */
    noted: notedEvents,
    logged,
    async close() {
      await front.drain()
      await siteServing.close()
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

function testConfig(dataFolder: string) {
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
