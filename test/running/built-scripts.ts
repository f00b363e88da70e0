import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'

const build = '.next'
const pages = join(build, 'server', 'app')
const manifest = 'page_client-reference-manifest.js'

/** The scripts that a browser loads before a page of the studio is ready. */
export interface PageScripts {
  /** As in the build: `/studio/(shell)/[project]/flags/page`. */
  page: string
  /** As files under `.next`. */
  scripts: string[]
  /** As they are sent to a browser that takes Brotli. */
  brotliBytes: number
  gzipBytes: number
}

/** Every page of the studio, by the manifests of the build. */
export function studioPageScripts(): PageScripts[] {
  return readdirSync(pages, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.startsWith('studio/') && file.endsWith(manifest))
    .map(scriptsOfPage)
    .toSorted((one, other) => other.brotliBytes - one.brotliBytes)
}

function scriptsOfPage(file: string): PageScripts {
  const { page, entryFiles } = readClientManifest(join(pages, file))
  const own = readJson(join(pages, file.replace(manifest, 'page/build-manifest.json')))
  const scripts = [...new Set([...own.rootMainFiles, ...Object.values(entryFiles).flat()])]
  const sum = (sizeOf: (script: string) => number) => scripts.reduce((total, one) => total + sizeOf(one), 0)
  return { page, scripts, brotliBytes: sum(brotliSize), gzipBytes: sum(gzipSize) }
}

/** The manifest is a script that puts its contents on the global object, under this name. */
const manifestName = '__RSC_MANIFEST'

function readClientManifest(file: string): { page: string; entryFiles: Record<string, string[]> } {
  const found: Record<string, { entryJSFiles: Record<string, string[]> }> = {}
  runInNewContext(readFileSync(file, 'utf8'), { globalThis: { [manifestName]: found } })
  const [entry] = Object.entries(found)
  if (!entry) throw new Error(`${file} names no page: Next writes its manifest otherwise now.`)
  return { page: entry[0], entryFiles: entry[1].entryJSFiles }
}

// as Next writes it
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as { rootMainFiles: string[] }

const brotliSize = (script: string) => statSync(join(build, `${script}.br`)).size

const gzipSizes = new Map<string, number>()

function gzipSize(script: string): number {
  const known = gzipSizes.get(script)
  if (known !== undefined) return known
  const size = gzipSync(readFileSync(join(build, script))).length
  gzipSizes.set(script, size)
  return size
}
