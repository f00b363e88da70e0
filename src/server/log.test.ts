import { expect, test } from 'vitest'
import { openLog } from './log'

function written(form: 'lines' | 'json', write: (log: ReturnType<typeof openLog>) => void): string {
  const lines: string[] = []
  write(openLog({ level: 'info', format: form, destination: { write: (line) => void lines.push(line) } }))
  return lines.join('')
}

test('machines get one JSON object a line', () => {
  const line = written('json', (log) => log.warn({ requestId: 'r1' }, 'too slow'))
  expect(line.endsWith('\n')).toBe(true)
  expect(JSON.parse(line)).toMatchObject({ level: 'warn', requestId: 'r1', msg: 'too slow' })
})

test('people get a line with the time, the level and what matters', () => {
  const line = written('lines', (log) => log.warn({ requestId: 'r1', path: '/a b' }, 'too slow'))
  expect(line).toMatch(/^\d\d:\d\d:\d\d .*warn.* too slow requestId=r1 path="\/a b"\n$/)
})

test('people see where an error came from', () => {
  const line = written('lines', (log) => log.error({ err: new Error('broken') }, 'a request failed'))
  expect(line).toContain('a request failed')
  expect(line).toContain('  Error: broken\n')
})

test.each(['lines', 'json'] as const)('a line break in what a stranger sent begins no new %s', (form) => {
  const line = written(form, (log) => log.warn({ path: '/a\n12:00:00 info all is well' }, 'answered'))
  expect(line.trimEnd().split('\n')).toHaveLength(1)
})

test('secrets stay out of it', () => {
  const line = written('json', (log) =>
    log.info({
      password: 'hunter2',
      owner: { password: 'hunter2' },
      cookie: 'hunter2',
      headers: { authorization: 'hunter2' },
    }),
  )
  expect(line).not.toContain('hunter2')
})
