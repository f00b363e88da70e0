import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { codeIn, isTest } from './source-files'

/** The files that run on the server. */
const files = codeIn('.', 'src').filter(
  (path) => path.endsWith('.ts') && !isTest(path) && !path.startsWith('src/instrumentation-client'),
)
const texts = new Map(files.map((path) => [path, readFileSync(path, 'utf8')]))

const matching = (pattern: RegExp): string[] =>
  [...texts].filter(([, text]) => pattern.test(text)).map(([path]) => path)

// An `error` that nothing listens to ends the process.
test('every child process is started where its error is heard', () => {
  expect(matching(/import \{(?! type)[^}]*\} from '(?:node:)?child_process'/)).toEqual([
    'src/processes/fork-program.ts',
  ])
})

test('every thread is started where its error is heard', () => {
  const starting = matching(/new Worker\(/)
  expect(starting).not.toEqual([])
  expect(starting.filter((path) => !/\.once\('error', /.test(texts.get(path) ?? ''))).toEqual([])
})

const timer = /set(?:Interval|Timeout|Immediate)\(\s*(?:async\b|\(\) =>\s*void [^,;]*)/g
const uncaughtTimersIn = (text: string): string[] =>
  (text.match(timer) ?? []).filter((found) => !found.includes('.catch('))

// A rejection that nothing handles ends the process.
test('every promise that a timer starts is caught', () => {
  expect(uncaughtTimersIn('setInterval(() => void this.poll(), 5)')).toHaveLength(1)
  expect(uncaughtTimersIn('setInterval(\n  async () => {}, 5)')).toHaveLength(1)
  expect(uncaughtTimersIn('setInterval(() => void this.poll().catch(report), 5)')).toEqual([])
  // scripts of pages run in browsers
  const onServer = [...texts].filter(([path]) => !/^src\/(?:app|studio)\//.test(path))
  const uncaught = onServer.flatMap(([path, text]) =>
    uncaughtTimersIn(text).map((found) => `${path}: ${found}`),
  )
  expect(uncaught).toEqual([])
})
