import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { buildOnce } from '../running/build-once'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')

/** Inside the repository, because Turbopack follows no link that leaves its root. */
export const appFolder = join(root, '.test-app')

/** The compiled pages process. */
export const pagesProgram = join(appFolder, 'dist/pages.js')

/** Laid over a copy of src/. They stand as deep as there, so what they import from src/ is the same in both places. */
const provokedRoutes = ['app', 'pages']

const fonts = 'node_modules/@fontsource-variable'

const stamp = join(root, 'test-results/test-app')

/** The studio and what it shares have tests of their own. */
const isIncluded = (path: string) => !/\.(?:test|contract|cases)\.tsx?$|\((?:studio|share)\)/.test(path)

/**
 * The site's pages, everything pages stand on and, beside them, pages that only exist to provoke what the others must survive. Built once,
 * and again when a source has changed.
 */
export const builtApp = (): Promise<void> =>
  buildOnce(stamp, fingerprint(), async () => {
    copySources()
    await Promise.all([buildProgram(), buildPages()])
  })

// Next's cache of the last build stays: it makes this one twice as quick.
function copySources() {
  rmSync(join(appFolder, 'src'), { recursive: true, force: true })
  mkdirSync(join(appFolder, 'public'), { recursive: true })
  cpSync(join(root, 'src'), join(appFolder, 'src'), { recursive: true, filter: isIncluded })
  for (const router of provokedRoutes) {
    cpSync(join(import.meta.dirname, router), join(appFolder, 'src', router), { recursive: true })
  }
  cpSync(join(root, 'themes'), join(appFolder, 'themes'), { recursive: true })
  // named by where they are, which is beside the sources
  cpSync(join(root, fonts), join(appFolder, fonts), { recursive: true })
  for (const name of ['postcss.config.mjs', 'tsconfig.json', 'package.json']) {
    cpSync(join(root, name), join(appFolder, name))
  }
  writeFileSync(join(appFolder, 'public/robots.txt'), 'User-agent: *\n')
  writeFileSync(join(appFolder, 'next.config.js'), "export { default } from '../next.config.js'\n")
}

const buildProgram = () =>
  build({
    entryPoints: [join(root, 'src/server/internal/pages.ts')],
    outfile: pagesProgram,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })

const buildPages = () =>
  run(process.execPath, [join(root, 'node_modules/next/dist/bin/next'), 'build'], {
    cwd: appFolder,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  })

function fingerprint(): string {
  const hash = createHash('sha256').update(process.version)
  const files = [join(root, 'src'), join(root, 'themes'), import.meta.dirname].flatMap(filesUnder)
  for (const file of [...files, join(root, 'next.config.js')]) hash.update(file).update(readFileSync(file))
  return hash.digest('hex')
}

const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(isIncluded)
    .sort()
