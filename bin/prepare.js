import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { step } from './progress.js'
import { run } from './run.js'

/**
 * Makes a clone ready to run: packages, programs, pages, each only when what it is made of has changed. Whoever
 * installed the package has all of it already, and no `src`.
 */
export async function prepare(root) {
  if (!existsSync(join(root, 'src')) || isReady(root)) return
  await alone(root, async () => {
    for (const part of parts) {
      if (isUpToDate(part, root)) continue
      const wanted = part.madeOf(root)
      rmSync(join(root, part.stamp), { force: true })
      await step(part.title, () => part.make(root))
      writeFileSync(join(root, part.stamp), wanted)
    }
  })
}

/** In this order: each is made with what the one before has made. The stamp says what it was made of. */
const parts = [
  {
    title: 'Installing packages',
    stamp: 'node_modules/.made-of',
    madeOf: packageLists,
    make: installPackages,
  },
  { title: 'Building the programs', stamp: 'dist/.made-of', madeOf: sources, make: buildPrograms },
  { title: 'Building the pages', stamp: '.next/.made-of', madeOf: sources, make: buildPages },
]

const isReady = (root) => parts.every((part) => isUpToDate(part, root))

const isUpToDate = (part, root) => textOf(join(root, part.stamp)) === part.madeOf(root)

const textOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)

const lists = ['package.json', 'package-lock.json']

/** Compiled packages belong to one Node and one kind of machine. */
function packageLists(root) {
  return `${digest(root, lists)} ${process.version} ${process.platform} ${process.arch}`
}

const sourceFolders = ['src', 'migrations', 'tracker', 'public']
const sourceFiles = [...lists, 'next.config.js', 'postcss.config.mjs', 'tsconfig.json', 'bin/prepare.js']

/** Tests are no part of what is built. */
function sources(root) {
  const files = [...sourceFiles, ...sourceFolders.flatMap((folder) => filesIn(root, folder))]
  return `${digest(root, files.filter(isBuilt))} ${process.version}`
}

const isBuilt = (file) => !/\.(?:test|contract)\.tsx?$/.test(file)

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

// Not `npm ci`: it refuses a lock that was written where packages for other systems could not be seen.
async function installPackages(root) {
  const flags = [
    '--no-save',
    '--prefer-offline',
    '--ignore-scripts',
    '--include=dev',
    '--no-audit',
    '--no-fund',
  ]
  await run('npm', ['install', ...flags], { cwd: root })
}

/** Beside the old ones first: what runs from here is replaced in one step, and never half. */
async function buildPrograms(root) {
  const { build, stop } = await import('esbuild')
  const { buildTrackers } = await import('../tracker/build.js')
  const incoming = join(root, 'dist.incoming')
  rmSync(incoming, { recursive: true, force: true })
  try {
    await build({
      absWorkingDir: root,
      entryPoints: {
        'command-line': 'src/server/command-line.ts',
        pages: 'src/server/pages.ts',
        'engine-child': 'src/engine/child.ts',
      },
      outdir: incoming,
      bundle: true,
      // what is imported late stays apart, so that a missing native package can be told before it is loaded
      splitting: true,
      chunkNames: '[name]-[hash]',
      packages: 'external',
      platform: 'node',
      target: 'node22.13',
      format: 'esm',
      sourcemap: 'linked',
      logLevel: 'silent',
    })
    await buildTrackers(join(incoming, 'tracker'))
  } finally {
    await stop()
  }
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  renameSync(incoming, join(root, 'dist'))
}

async function buildPages(root) {
  const env = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
  await run(process.execPath, ['node_modules/next/dist/bin/next', 'build'], { cwd: root, env })
  await squeeze(join(root, '.next', 'static'))
}

/** As small as they get, beside what they were made of: too slow to be done while somebody waits for a page. */
async function squeeze(folder) {
  const { brotliCompress } = await import('node:zlib')
  const brotli = promisify(brotliCompress)
  const files = filesIn(folder, '.').filter((file) => /\.(?:js|css)$/.test(file))
  await Promise.all(
    files.map(async (file) => {
      const path = join(folder, file)
      writeFileSync(`${path}.br`, await brotli(readFileSync(path)))
    }),
  )
}

/** One at a time: the second to come waits and then finds everything done. The lock ends with its process. */
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
    if (problem.errcode === 5) return false // somebody else has it
    throw problem
  }
}

async function untilTaken(lock) {
  while (!isTaken(lock)) await new Promise((resolve) => setTimeout(resolve, 200))
}
