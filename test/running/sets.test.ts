import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import { deepParts } from '../../bin/deep-tests'
import durations from './durations.json' with { type: 'json' }
import { expectPrintedTable, tableOf } from '../rules/printed-table'
import { testSets } from './sets'

const root = join(import.meta.dirname, '../..')
const files = globSync('{src,test,tracker,packages}/**/*.test.{ts,tsx}', {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
})
const names = Object.keys(testSets) as (keyof typeof testSets)[]

const setsOf = (file: string) =>
  names.filter((name) => {
    const { include, exclude }: { include: string[]; exclude: string[] } = testSets[name]
    return (
      [include, exclude].map((globs) => globs.some((glob) => matchesGlob(file, glob))).join() === 'true,false'
    )
  })

test('every test file is in one set', () => {
  expect(files.length).toBeGreaterThan(500)
  expect(files.filter((file) => setsOf(file).length !== 1)).toEqual([])
  expect(setsOf('bench/some.test.ts')).toEqual([])
})

/** The files that took two seconds or more in the last whole runs, as far as they are known here, the longest first. */
function lastDurations(): Record<string, number> {
  const known = new Map(Object.entries(durations))
  for (const name of names) {
    const report = join(root, 'test-results', `${name}-files.json`)
    if (!existsSync(report)) continue
    const { took } = JSON.parse(readFileSync(report, 'utf8')) as { took: { file: string; seconds: number }[] }
    for (const { file, seconds } of took) known.set(file, Math.round(seconds))
  }
  const long = [...known].filter(([file, seconds]) => seconds >= 2 && files.includes(file))
  return Object.fromEntries(long.toSorted(([, one], [, other]) => other - one))
}

test('test/running/durations.json and CONTRIBUTING.md say how long the sets take', () => {
  if (process.env['TILTH_PRINT_TABLES'])
    writeFileSync(
      join(import.meta.dirname, 'durations.json'),
      `${JSON.stringify(lastDurations(), null, 2)}\n`,
    )
  const seconds = Object.entries(process.env['TILTH_PRINT_TABLES'] ? lastDurations() : durations)
  expect(seconds.filter(([file]) => !files.includes(file))).toEqual([])

  const code = (text: string) => `\`${text}\``
  const rows = names.map((name) => {
    const { command, about, include }: { command: string; about: string; include: string[] } = testSets[name]
    const sum = seconds.reduce(
      (total, [file, each]) => (setsOf(file).includes(name) ? total + each : total),
      0,
    )
    return [code(command), name, include.map(code).join(', '), about, `${Math.ceil(sum / 60)} min`]
  })
  const deep = deepParts.map(({ name, about, share }) => [
    code('npm run test:deep'),
    name,
    '',
    about,
    `${share * 100} % of \`--minutes\``,
  ])
  const head = ['Command', 'Set', 'Files', 'What', 'One at a time']
  expectPrintedTable('sets', tableOf(head, [...rows, ...deep]), '../CONTRIBUTING.md')
})
