import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { hasTestPackages, packageParts } from './packages.js'
import { buildPicture } from './picture.js'
import { step } from './progress.js'
import { run } from './run.js'

/**
 * Makes a clone ready to run: packages, programs, pages, each only when what it is made of has changed. The published
 * package has all of it already, and no `src`. `start` leaves the compression of the pages to `compressLater`.
 */
export async function prepare(root, { withTests = false, compresses = true } = {}) {
  if (!isClone(root)) return
  const [packages, late] = packageParts({ withTests })
  const parts = [packages, late, programs, pages, ...(compresses ? [compressed] : [])]
  if (parts.every((part) => isUpToDate(part, root))) return
  await alone(root, async () => {
    await make(packages, root)
    await bothDone(make(late, root), makeAll(parts.slice(2), root))
  })
}

export const isClone = (root) => existsSync(join(root, 'src'))

/** The stamp of a part says what it was made of. */
const programs = {
  title: 'Building the programs',
  stamp: 'dist/.made-of',
  madeOf: sources,
  make: buildPrograms,
}
const pages = { title: 'Building the pages', stamp: '.next/.made-of', madeOf: sources, make: buildPages }
const compressed = {
  title: 'Compressing the pages',
  stamp: '.next/.compressed',
  madeOf: sources,
  make: compressPages,
}

async function makeAll(parts, root) {
  for (const part of parts) await make(part, root)
}

async function make(part, root) {
  if (isUpToDate(part, root)) return
  const wanted = part.madeOf(root)
  rmSync(join(root, part.stamp), { force: true })
  await step(part.title, () => part.make(root))
  writeFileSync(join(root, part.stamp), wanted)
}

/** Fails with the first failure, but not before both have ended: nothing may go on without its lock. */
async function bothDone(...works) {
  const outcomes = await Promise.allSettled(works)
  for (const { status, reason } of outcomes) if (status === 'rejected') throw reason
}

const isUpToDate = (part, root) => textOf(join(root, part.stamp)) === part.madeOf(root)

const textOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)

const sourceFolders = ['src', 'migrations', 'themes', 'tracker', 'packages', 'public']
const sourceFiles = [
  'package.json',
  'package-lock.json',
  'next.config.js',
  'postcss.config.mjs',
  'tsconfig.json',
  'bin/prepare.js',
  'bin/picture.js',
]

/** Digests by root: every part of one run is made of the same sources. */
const digests = new Map()

/** Tests are no part of what is built. */
function sources(root) {
  const known = digests.get(root)
  if (known) return known
  const files = [...sourceFiles, ...sourceFolders.flatMap((folder) => filesIn(root, folder))]
  const made = `${digest(root, files.filter(isBuilt))} ${process.version}`
  digests.set(root, made)
  return made
}

const isBuilt = (file) => !/\.(?:test|contract|cases)\.tsx?$/.test(file)

function digest(root, files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0${textOf(join(root, file)) ?? ''}\0`)
  return hash.digest('hex')
}

function filesIn(root, folder) {
  if (!existsSync(join(root, folder))) return []
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
  // folders list their files in any order, a digest must not
  entries.sort((one, other) => (one.name < other.name ? -1 : 1))
  const paths = entries.map((entry) => ({ path: `${folder}/${entry.name}`, isFolder: entry.isDirectory() }))
  return paths.flatMap(({ path, isFolder }) => (isFolder ? filesIn(root, path) : [path]))
}

/**
 * Packages of hundreds of small files become part of the programs: loading each file took a third of the time in which a
 * process loads its code. They and all that they import are modules without native code and without files of their own.
 */
const bundled =
  /^(?:kysely|zod|unified|github-slugger|(?:remark|rehype|mdast-util|hast-util|unist-util)-[\w-]+)(?:\/|$)/

/** All other packages are loaded from `node_modules`. */
const packagesOfManyFiles = {
  name: 'packages-of-many-files',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./#]/ }, ({ path, kind, importer }) => {
      if (kind === 'entry-point' || bundled.test(path) || importer.includes('node_modules')) return undefined
      return { path, external: true }
    })
  },
}

/** Beside the old ones first: what runs from here is replaced in one step, and never half. */
async function buildPrograms(root) {
  const { build, stop } = await import('esbuild')
  const { buildTrackers } = await import('../tracker/build.js')
  const { packageNames, packPackage } = await import('../packages/build.js')
  const incoming = join(root, 'dist.incoming')
  rmSync(incoming, { recursive: true, force: true })
  try {
    await build({
      absWorkingDir: root,
      entryPoints: {
        'command-line': 'src/cli/command-line.ts',
        pages: 'src/server/internal/pages.ts',
        'engine-child': 'src/engine/internal/child.ts',
        'aa-check-program': 'src/experiments/planning/internal/aa-check-program.ts',
        'reading-program': 'src/imports/reading/internal/reading-program.ts',
        'portion-preparing-program': 'src/imports/preparing/internal/preparing-program.ts',
        'post-reading-program': 'src/posts/reading/internal/reading-program.ts',
        'site-kit-build': 'src/site-kit/internal/build-program.ts',
      },
      outdir: incoming,
      bundle: true,
      // late imports stay apart, so that a missing native package can be reported before it is loaded
      splitting: true,
      chunkNames: '[name]-[hash]',
      plugins: [packagesOfManyFiles],
      platform: 'node',
      target: 'node22.13',
      format: 'esm',
      sourcemap: 'linked',
      // the sources are beside it; each process would hold ten megabytes of their text
      sourcesContent: false,
      logLevel: 'silent',
    })
    await buildTrackers(join(incoming, 'tracker'))
    await buildPicture(root, incoming)
    const npm = (args) => run('npm', args, { cwd: root })
    for (const name of packageNames) await packPackage(name, join(incoming, 'packages'), npm)
    copyPosthogScripts(root, join(incoming, 'posthog-js'))
    cpSync(join(root, 'src/demo/internal/texts'), join(incoming, 'demo-texts'), { recursive: true })
    // built together with the modules of a site folder, where there is one
    cpSync(join(root, 'src/site-kit/internal/runtime'), join(incoming, 'site-kit'), {
      recursive: true,
      filter: (path) => !path.includes('.test.'),
    })
  } finally {
    await stop()
  }
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  renameSync(incoming, join(root, 'dist'))
}

/** The scripts that browsers load; the rest of the package, and all that it depends on, is of no use to Tilth. */
function copyPosthogScripts(root, folder) {
  const source = join(root, 'node_modules', 'posthog-js')
  mkdirSync(join(folder, 'dist'), { recursive: true })
  copyFileSync(join(source, 'package.json'), join(folder, 'package.json'))
  copyFileSync(join(source, 'LICENSE'), join(folder, 'LICENSE'))
  const scripts = readdirSync(join(source, 'dist')).filter((name) => name.endsWith('.js'))
  for (const name of scripts) copyFileSync(join(source, 'dist', name), join(folder, 'dist', name))
}

/** A first build does not write Turbopack's cache, which takes time and 165 MB and helps only a later build. */
async function buildPages(root) {
  const isFirst = !existsSync(join(root, '.next'))
  const env = {
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    ...(isFirst && !hasTestPackages(root) && { TURBOPACK_CACHE: 'off' }),
  }
  await run(process.execPath, ['node_modules/next/dist/bin/next', 'build'], { cwd: root, env })
}

/** Compresses the pages after a start, in a process of its own that ends with this one. */
export function compressLater(root) {
  if (!isClone(root) || isUpToDate(compressed, root)) return
  const child = spawn(process.execPath, [join(root, 'bin', 'compress.js')], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // without the compressed files the front compresses for itself, less well
  child.on('error', () => {})
  child.unref()
  child.channel?.unref()
}

/** The part of `prepare` that a start leaves out. */
export const compress = (root) => alone(root, () => make(compressed, root))

/** Writes the smallest form beside each script and style. */
async function compressPages(root) {
  const folder = join(root, '.next', 'static')
  const files = filesIn(folder, '.').filter((file) => /\.(?:js|css)$/.test(file))
  await Promise.all(files.map((file) => compressFile(join(folder, file))))
}

async function compressFile(path) {
  if (existsSync(`${path}.br`)) return
  const incoming = `${path}.incoming`
  writeFileSync(incoming, await promisify(brotliCompress)(readFileSync(path)))
  renameSync(incoming, `${path}.br`)
}

/** Runs one start at a time: the second waits and then finds everything done. The lock ends with its process. */
async function alone(root, work) {
  const { DatabaseSync } = await import('node:sqlite')
  mkdirSync(join(root, '.node'), { recursive: true })
  const lock = new DatabaseSync(join(root, '.node', 'preparing.lock'))
  try {
    if (!isTaken(lock))
      await step('Waiting for another start that is building already', () => untilTaken(lock))
    await work()
  } finally {
    lock.close()
  }
}

function isTaken(lock) {
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return true
  } catch (problem) {
    if (problem.errcode === 5) return false // another process has it
    throw problem
  }
}

async function untilTaken(lock) {
  while (!isTaken(lock)) await new Promise((resolve) => setTimeout(resolve, 200))
}
