import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deepTests } from './deep-tests.js'
import { makeMemoryFolder } from './memory-folder.js'
import { prepare } from './prepare.js'
import { say, step } from './progress.js'
import { run } from './run.js'
import { runSteadily, runTests } from './run-tests.js'
import { endWithParent, onSuitableNode } from './runtime.js'
import { measureSlowness } from './slowness.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const tool = (name) => join(root, 'node_modules', '.bin', name)

/** The checks of `npm test`, the quickest first. `npm test -- lint` runs one, `npm test -- <file>` the tests in it. */
const checks = [
  { name: 'types', check: () => quiet('tsc', ['--project', '.', '--noEmit']) },
  { name: 'lint', check: () => quiet('oxlint', ['--type-aware']) },
  { name: 'exports', check: () => quiet('knip', ['--no-config-hints']) },
  { name: 'format', check: () => quiet('oxfmt', ['--check']) },
  { name: 'unit', check: () => tests('unit') },
  { name: 'contract', check: () => tests('contract') },
  { name: 'journeys', check: () => browserTests('journeys') },
]

/** Everything else in a browser; runs only when it is named. */
const inBrowser = { name: 'browser', check: () => browserTests('browser') }

/** The environment of all tests: the place of data folders, the slowness of this machine, and the random seed. */
const common = {}

async function testAll() {
  endWithParent()
  const results = []
  const timed = async (name, work) => {
    const began = performance.now()
    const counts = await work()
    results.push({ name, passed: 0, failed: 0, ...counts, seconds: (performance.now() - began) / 1000 })
  }
  await timed('preparing', () => prepare(root, { withTests: true }))
  const folder = makeMemoryFolder()
  if (folder) common.TEST_DATA_FOLDERS = folder
  common.TEST_SLOWNESS = process.env.TEST_SLOWNESS ?? String(measureSlowness(root))
  common.TEST_SEED = process.env.TEST_SEED ?? String(seedOfCommit())
  process.stdout.write(
    `Limits are ${common.TEST_SLOWNESS} times as long as usual. The seed is ${common.TEST_SEED}.\n`,
  )
  for (const { name, check } of chosen(process.argv.slice(2))) {
    process.stdout.write(`\n── ${name}\n`)
    await timed(name, check)
  }
  summarize(results)
}

/** The same for all who test this commit, so that a failure for one is a failure for all. */
function seedOfCommit() {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return Number.parseInt((stdout || '1').slice(0, 7), 16)
}

/** No words: every check. Names: those. `deep` and its options. Anything else is for vitest: a file, `-t "a name"`. */
function chosen(words) {
  if (words.length === 0) return checks
  const [first, ...options] = words
  if (first === 'deep') return [{ name: first, check: () => deepTests(options, { root, env: common }) }]
  const named = [...checks, inBrowser].filter(({ name }) => words.includes(name))
  if (named.length === words.length) return named
  return [{ name: words.join(' '), check: () => chosenTests(words) }]
}

async function chosenTests(words) {
  const browser = await findBrowser()
  const env = { ...(browser ? browsers(browser) : {}), ...common }
  return await runTests('chosen', { root, args: words, env })
}

/** A tool whose words only matter when it objects; it counts as one test. */
async function quiet(name, args) {
  try {
    await run(tool(name), args, { cwd: root })
    return { passed: 1, failed: 0 }
  } catch (problem) {
    process.stdout.write(`${problem.output ?? problem.stack}\n`)
    return { passed: 0, failed: 1 }
  }
}

async function browserTests(name) {
  const browser = await findBrowser()
  if (browser) return await tests(name, browsers(browser))
  process.stdout.write(`${noBrowser}\n`)
  return { passed: 0, failed: 1 }
}

const tests = (name, env = {}) =>
  runSteadily(name, { root, args: [`--project=${name}`], env: { ...env, ...common } })

function summarize(results) {
  process.stdout.write('\n')
  // again at the end, for logs of which only the end is kept
  for (const { failures = [] } of results) for (const one of failures) process.stdout.write(`${one}\n\n`)
  for (const { name, passed, failed, skipped, seconds } of results) {
    const counts = passed + failed === 0 ? [] : [`${passed} passed`, `${failed} failed`]
    const took = `${seconds.toFixed(0)} s`
    say(
      failed === 0 ? '✓' : '✗',
      name,
      [...counts, ...(skipped ? [`${skipped} skipped`] : []), took].join(', '),
    )
  }
  const slowest = results
    .flatMap(({ took = [] }) => took)
    .toSorted((one, other) => other.seconds - one.seconds)
  for (const { file, seconds } of slowest.slice(0, 10)) say(' ', file, `${seconds.toFixed(0)} s`)
  const unsteady = results.flatMap((result) => result.unsteady ?? [])
  for (const { file, why } of unsteady) say('!', `unsteady: ${file}`, why.join('; '))
  mkdirSync(join(root, 'test-results'), { recursive: true })
  writeFileSync(join(root, 'test-results', 'unsteady.json'), `${JSON.stringify(unsteady, null, 2)}\n`)
  const sum = (what) => results.reduce((total, result) => total + result[what], 0)
  process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`)
  process.exitCode = sum('failed') === 0 ? 0 : 1
}

/** Chromium without windows does what the tests ask of it in half the time; any other will do. */
const small = 'chromium-headless-shell'
const browserNames = [small, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const noBrowser =
  'The tests in a browser need Chromium, which is not here and which only root may install: ' +
  `run "apt-get install ${small}" as root, or set CHROMIUM to the path of a Chromium or Chrome.`

/** Only a Chromium with windows keeps pages in memory for the way back, which one test is about. */
const browsers = (browser) => ({
  CHROMIUM: browser,
  WHOLE_CHROMIUM: ['chromium', 'chromium-browser'].map(onPath).find((path) => path !== undefined) ?? browser,
})

/** The browser that is named, or Debian's small one, where we may install it, or the one that is here. */
async function findBrowser() {
  const missing = missingPackages()
  if (missing.length === 0 || !mayInstall()) return browserHere()
  try {
    await step(`Installing ${missing.join(' and ')}`, async () => {
      await apt('update')
      await apt('install', '--yes', '--no-install-recommends', ...missing)
    })
  } catch (problem) {
    if (!browserHere()) process.stdout.write(`${problem.message}\n`)
  }
  return browserHere()
}

/** The missing Debian packages of these tests: a browser, and a clock that can be set for the screenshots. */
const missingPackages = () => [
  ...(process.env.CHROMIUM || onPath(small) ? [] : [small]),
  ...(onPath('faketime') ? [] : ['faketime']),
]

/** Short limits, so that a machine without access to Debian finds out soon. */
const impatient = ['-o', 'Acquire::http::Timeout=10', '-o', 'Acquire::Retries=0']

const apt = (...words) =>
  run('apt-get', [...impatient, ...words], { cwd: root, env: { DEBIAN_FRONTEND: 'noninteractive' } })

function browserHere() {
  const named = process.env.CHROMIUM
  if (named) return existsSync(named) ? named : undefined
  return browserNames.map(onPath).find((path) => path !== undefined)
}

const onPath = (name) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))

const mayInstall = () => process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0

try {
  await onSuitableNode(root, testAll)
} catch (problem) {
  say('✗', problem.name === 'ProgramError' ? problem.message : problem.stack)
  process.stdout.write('0 passed, 1 failed\n')
  process.exitCode = 1
}
