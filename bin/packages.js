import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { step } from './progress.js'
import { run } from './run.js'

// Everything that is loaded before the right Node is found must be readable by Node 20.9.

/**
 * Two groups, each installed by an npm of its own (docs/decisions/0017-a-start-installs-what-it-needs.md): what the
 * build reads, and the large files that only the running product reads, which arrive while the build runs.
 */
const groups = {
  build: { title: 'Installing packages', folder: 'packages', stamp: 'node_modules/.made-of', isLate: false },
  late: {
    title: 'Installing the engine',
    folder: 'packages-late',
    stamp: 'node_modules/.late-made-of',
    isLate: true,
  },
}

/** The engine's library and the places of addresses. */
const isLate = (path) => /^node_modules\/(?:@chdb\/lib-|@ip-location-db\/)/.test(path)

/**
 * Packages that a build needs without what they depend on: it copies scripts of the first, and Next only looks whether
 * the second is there, since it does not check types here.
 */
const alone = new Set(['node_modules/posthog-js', 'node_modules/typescript'])

/** The workspace that lists what only tests and benchmarks need. */
const testList = 'test/packages'

/** The folder that only the tests need, which says that they have been installed here before. */
const testRunner = 'node_modules/vitest'

/** A part of `prepare` for each group. Test packages stay where they are once they were installed. */
export const packageParts = ({ withTests }) =>
  Object.values(groups).map((group) => ({
    title: group.title,
    stamp: group.stamp,
    madeOf: (root) => stampOf(listsFor(root, group, installsTests(root, withTests))),
    make: (root) => install(root, group, withTests),
  }))

/** Begins with what the build reads while Node itself is on its way; `prepare` finds it done. */
export async function installEarly(root) {
  if (!existsSync(join(root, 'src')) || existsSync(join(root, 'node_modules'))) return
  await step(groups.build.title, () => install(root, groups.build, false))
}

const listFiles = ['package.json', 'package-lock.json']

function stampOf({ lock }) {
  const digest = createHash('sha256').update(JSON.stringify(lock)).digest('hex')
  return `${digest} ${process.platform} ${process.arch}`
}

const installsTests = (root, withTests) => withTests || hasTestPackages(root)

export const hasTestPackages = (root) => existsSync(join(root, testRunner))

/** Installs into a folder of its own and moves the result into place, so that an interruption leaves nothing half. */
async function install(root, group, withTests) {
  removeAbandoned(root)
  const incoming = join(root, '.node', `${group.folder}-${process.pid}`)
  mkdirSync(incoming, { recursive: true })
  try {
    const lists = listsFor(root, group, installsTests(root, withTests))
    writeFileSync(join(incoming, 'package.json'), JSON.stringify(lists.manifest))
    writeFileSync(join(incoming, 'package-lock.json'), JSON.stringify(lists.lock))
    copyFileSync(join(root, '.npmrc'), join(incoming, '.npmrc'))
    if (group.isLate) await installLate(root, incoming, Object.keys(lists.lock.packages))
    else await installAll(root, incoming)
    writeFileSync(join(root, group.stamp), stampOf(lists))
  } finally {
    rmSync(incoming, { recursive: true, force: true })
  }
}

/** Removes the folders of processes that were killed before they could do so. */
function removeAbandoned(root) {
  const folder = join(root, '.node')
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const [, pid] = /^packages(?:-late)?-(\d+)$/.exec(name) ?? []
    if (pid && !isRunning(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return pid !== process.pid
  } catch (problem) {
    return problem.code === 'EPERM'
  }
}

/** Takes the installed packages along, so that npm fetches only the changed ones; the late group waits outside. */
async function installAll(root, incoming) {
  const late = Object.keys(listsFor(root, groups.late, false).lock.packages).filter(Boolean)
  const [here, there] = [join(root, 'node_modules'), join(incoming, 'node_modules')]
  if (existsSync(here)) renameSync(here, there)
  movePackages(late, incoming, join(incoming, 'late'))
  try {
    await npmInstall(incoming)
  } finally {
    movePackages(late, join(incoming, 'late'), incoming)
    if (existsSync(there)) renameSync(there, here)
  }
}

async function installLate(root, incoming, paths) {
  await npmInstall(incoming)
  movePackages(paths.filter(Boolean), incoming, root)
}

function movePackages(paths, from, to) {
  for (const path of paths.filter((each) => existsSync(join(from, each)))) {
    rmSync(join(to, path), { recursive: true, force: true })
    mkdirSync(dirname(join(to, path)), { recursive: true })
    renameSync(join(from, path), join(to, path))
  }
}

// Not `npm ci`: it refuses a lock that was written where packages for other systems could not be seen.
const npmInstall = (folder) =>
  run('npm', ['install', '--no-save', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
  })

function listsFor(root, { isLate: late }, withTests) {
  const [manifest, lock] = listFiles.map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')))
  return groupLists({ manifest, lock }, { late, withTests })
}

const thisSystem = { platform: process.platform, arch: process.arch }

/** The part of both lists that belongs to a group: every package with the version and the digest of the whole list. */
export function groupLists({ manifest, lock }, { late, withTests, system = thisSystem }) {
  const tests = withTests ? lock.packages[testList].devDependencies : {}
  const versions = { ...tests, ...manifest.devDependencies, ...manifest.dependencies }
  const all = closure(lock.packages, Object.keys(versions), withTests)
  const wanted = all.filter((path) => isLate(path) === late)
  const packages = Object.fromEntries(
    wanted.map((path) => [path, entryOf(path, lock.packages[path], { late, withTests })]),
  )
  const top = late
    ? lateOf(wanted, packages, unlistedFor(system, all, lock.packages))
    : { dependencies: versionsOf(versions, wanted) }
  const list = { name: manifest.name, version: manifest.version, ...top }
  return {
    manifest: { ...list, private: true },
    lock: { ...list, lockfileVersion: 3, packages: { '': list, ...packages } },
  }
}

/**
 * Late packages of this system that the lock lacks, because it was written where they could not be seen. They are not
 * optional here: npm does not look for an optional package that its lock lacks. https://github.com/npm/cli/issues/4828
 */
function unlistedFor({ platform, arch }, paths, packages) {
  const needs = paths.flatMap((path) => Object.entries(packages[path].optionalDependencies ?? {}))
  const isUnlisted = (name) => isLate(`node_modules/${name}`) && !packages[`node_modules/${name}`]
  return Object.fromEntries(
    needs.filter(([name]) => isUnlisted(name) && name.includes(`-${platform}-${arch}`)),
  )
}

/** The packages for one kind of machine are optional: npm takes the one that fits. */
function lateOf(paths, packages, unlisted) {
  const versions = (isOptional) =>
    Object.fromEntries(
      paths
        .filter((path) => Boolean(packages[path].optional) === isOptional)
        .map((path) => [nameOf(path), packages[path].version]),
    )
  return { dependencies: { ...versions(false), ...unlisted }, optionalDependencies: versions(true) }
}

const nameOf = (path) => path.slice('node_modules/'.length)

const versionsOf = (versions, paths) =>
  Object.fromEntries(Object.entries(versions).filter(([name]) => paths.includes(`node_modules/${name}`)))

/** The paths of these packages and of all that they need, looked for as Node does. */
function closure(packages, names, withTests) {
  const found = new Set()
  const waiting = names.map((name) => ({ name, from: '' }))
  for (const { name, from } of waiting) {
    const path = pathOf(packages, name, from)
    if (!path || found.has(path)) continue
    found.add(path)
    if (alone.has(path) && !withTests) continue
    waiting.push(...needsOf(packages[path]).map((need) => ({ name: need, from: path })))
  }
  return [...found].toSorted((one, other) => (one < other ? -1 : 1))
}

function needsOf({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional)
  return [...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...peers]
}

function pathOf(packages, name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder ? `${folder}/node_modules/${name}` : `node_modules/${name}`
    if (packages[path]) return path
    if (!folder) return undefined
  }
}

/** An entry names no package that is left out, or npm would fetch that, too. */
function entryOf(path, { dev, devOptional, ...entry }, { late, withTests }) {
  const isKept = (name) => isLate(`node_modules/${name}`) === late && (withTests || !alone.has(path))
  const kept = (needs) => needs && Object.fromEntries(Object.entries(needs).filter(([name]) => isKept(name)))
  const { dependencies, optionalDependencies } = entry
  return {
    ...entry,
    ...(devOptional && { optional: true }),
    dependencies: kept(dependencies),
    optionalDependencies: kept(optionalDependencies),
  }
}
