import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

interface Counts {
  passed: number
  failed: number
  unsteady?: { file: string; why: string[] }[]
}

let root: string

// below the project, so that the files find vitest
beforeAll(() => {
  mkdirSync('test-results', { recursive: true })
  root = mkdtempSync(resolve('test-results', 'run-tests-'))
  writeFileSync(join(root, 'vitest.config.js'), "export default { test: { include: ['*.case.js'] } }")
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

const imports = "import { existsSync, writeFileSync } from 'node:fs'; import { expect, test } from 'vitest'\n"
const passes = "test('passes', () => {})\n"
/** Runs its body in the first run of the file only. */
const once = (body: string) => `
  const marker = new URL('./again', import.meta.url)
  if (!existsSync(marker)) { writeFileSync(marker, ''); ${body} }
`

function run(text: string): Counts {
  writeFileSync(join(root, 'one.case.js'), imports + passes + text)
  rmSync(join(root, 'again'), { force: true })
  const program = `
    import { writeFileSync } from 'node:fs'
    import { runSteadily } from ${JSON.stringify(resolve('bin/run-tests.js'))}
    const counts = await runSteadily('case', { root: process.cwd(), args: [] })
    writeFileSync('counts.json', JSON.stringify(counts))`
  spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: root, stdio: 'ignore' })
  return JSON.parse(readFileSync(join(root, 'counts.json'), 'utf8')) as Counts
}

test('a file whose test fails once is unsteady, and stops no one', () => {
  const counts = run(`test('fails once', () => {${once("expect('first').toBe('second')")}})`)

  expect(counts).toMatchObject({ passed: 2, failed: 0 })
  expect(counts.unsteady).toEqual([{ file: 'one.case.js', why: ['fails once'] }])
})

test('a file that leaves a rejection behind once is unsteady, and the error is named', () => {
  const counts = run(once("void Promise.reject(new Error('left behind'))"))

  expect(counts).toMatchObject({ passed: 1, failed: 0 })
  expect(counts.unsteady?.[0]?.why.join()).toContain('left behind')
})

test.each([
  ['a test that fails again', "test('fails', () => expect(1).toBe(2))"],
  ['a rejection that is left behind again', "void Promise.reject(new Error('left behind'))"],
  ['a file that cannot be loaded', 'const ='],
])('%s is a failure', (_what, text) => {
  const counts = run(text)

  expect(counts.failed).toBe(1)
  expect(counts.unsteady).toEqual([])
})
