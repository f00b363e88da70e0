import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { runAloud } from './run.js'

/** The most failed files that count as bad luck. */
const mostSuspects = 12
const alone = '--maxWorkers=1'
/** A file that failed gets so much more time. */
const morePatience = 5

/**
 * Runs vitest, then each file that failed once more, alone and with more time. A file that passes then is unsteady: the
 * summary names it, and the run passes. A file that fails again has failed, and so has an error that belongs to no file.
 */
export async function runSteadily(name, options) {
  const first = await runTests(name, options)
  const suspects = first.failedFiles
  if (first.failed === 0 || suspects.length === 0 || suspects.length > mostSuspects) return first
  if (suspects.some(({ file }) => !file)) return first
  const [unsteady, broken] = [[], []]
  for (const [index, { file, why }] of suspects.entries()) {
    process.stdout.write(`\n── ${name}: ${file} again, alone\n`)
    const flags = options.args.filter((arg) => arg.startsWith('--'))
    const env = { ...options.env, TEST_SLOWNESS: String(morePatience * (options.env?.TEST_SLOWNESS ?? 1)) }
    const again = await runTests(`${name}-again-${index}`, { ...options, args: [...flags, file, alone], env })
    if (again.failed === 0 && again.passed > 0) unsteady.push({ file, why })
    else broken.push(again)
  }
  const failed = broken.reduce((sum, again) => sum + Math.max(1, again.failed), 0)
  return {
    passed: first.passed + Math.max(0, first.failedTests - failed),
    failed,
    skipped: first.skipped,
    took: first.took,
    failures: broken.flatMap(({ failures = [] }) => failures),
    unsteady,
  }
}

/** Runs vitest, which prints for itself, and counts what stands in its reports. */
export async function runTests(name, { root, args, env = {} }) {
  const report = join(root, 'test-results', `${name}.json`)
  const filesReport = join(root, 'test-results', `${name}-files.json`)
  mkdirSync(join(root, 'test-results'), { recursive: true })
  for (const file of [report, filesReport]) rmSync(file, { force: true })
  const reporters = ['default', 'json', fileReports].map((each) => `--reporter=${each}`)
  const went = await runAloud(vitest, ['run', ...args, ...reporters, `--outputFile.json=${report}`], {
    cwd: root,
    env: { ...env, FILE_REPORTS: filesReport },
  })
  const { failed: failedFiles, took } = existsSync(filesReport)
    ? parsed(filesReport)
    : { failed: [], took: [] }
  return { ...counted(report, root, went), failedFiles, took }
}

const tilth = join(import.meta.dirname, '..')
const vitest = join(tilth, 'node_modules', '.bin', 'vitest')
const fileReports = join(tilth, 'test', 'running', 'file-reports.ts')
const parsed = (file) => JSON.parse(readFileSync(file, 'utf8'))

/** A file that cannot even be loaded has no tests that could fail, and a run that broke off has no report. */
function counted(report, root, went) {
  if (!existsSync(report)) return { passed: 0, failed: 1, failedTests: 0 }
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = parsed(report)
  const unloadable = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some(isFailed),
  )
  const failed = numFailedTests + unloadable.length
  const failure = failureIn(root)
  return {
    passed: numPassedTests,
    failed: failed === 0 && !went ? 1 : failed,
    failedTests: numFailedTests,
    skipped: numPendingTests,
    failures: [
      ...testResults.flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter(isFailed)
          .map(({ fullName, failureMessages }) =>
            failure(name, `${fullName}\n${failureMessages.join('\n')}`),
          ),
      ),
      ...unloadable.map(({ name, message }) => failure(name, message)),
    ],
  }
}

const isFailed = ({ status }) => status === 'failed'

const failureIn = (root) => (file, text) => {
  const lines = text.split('\n').filter((line) => !line.includes('node_modules'))
  return `${relative(root, file)}: ${lines.slice(0, 12).join('\n    ')}`
}
