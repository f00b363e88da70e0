import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** An error outside of any test; vitest names the test file that ran when it came, where it knows. */
interface UnhandledError {
  message: string
  VITEST_TEST_PATH?: string
}

/**
 * Writes down how long each file of a run took, and which failed, so that each can be run again alone: a test that
 * failed, a file that could not be loaded or was not run to its end, an error that no test caught. A file without a name
 * stands for an error that belongs to none.
 */
export default class FileReports implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const report = process.env['FILE_REPORTS']
    if (!report) return
    const failed = new Map<string, Set<string>>()
    const note = (path: string, why: string) => {
      const file = path && relative(process.cwd(), path)
      failed.set(file, (failed.get(file) ?? new Set()).add(why))
    }
    for (const each of modules) for (const why of problems(each)) note(each.moduleId, why)
    const unhandled = errors as readonly UnhandledError[] // vitest serialises every error that it caught
    for (const { message, VITEST_TEST_PATH: path = '' } of unhandled)
      if (path || !modules.some(brokeOff)) note(path, `an error that no test caught: ${message}`)
    const failures = [...failed].map(([file, why]) => ({ file, why: [...why] }))
    const took = modules.map((module) => ({
      file: relative(process.cwd(), module.moduleId),
      seconds: module.diagnostic().duration / 1000,
    }))
    writeFileSync(report, JSON.stringify({ failed: failures, took }))
  }
}

function problems(module: TestModule): string[] {
  if (brokeOff(module)) return ['the file was not run to its end']
  if (module.ok()) return []
  const failed = [...module.children.allTests('failed')].map(({ fullName }) => fullName)
  return failed.length > 0 ? failed : ['the file could not be run']
}

/** The module's worker died; an error without a file reports it. */
const brokeOff = (module: TestModule) => ['queued', 'pending'].includes(module.state())
