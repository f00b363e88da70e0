import { ClickHouseError } from '@clickhouse/client'
import { expect, test } from 'vitest'
import { engineError, understood } from './failures'

const answered = (code: string, message = 'something') => new ClickHouseError({ code, message, type: 'TYPE' })
const network = (code: string) => Object.assign(new Error(''), { code })

test.each([
  // what went wrong                                                        what callers hear
  [answered('159'), 'deadline'],
  [answered('241'), 'memory'],
  [answered('394'), 'cancelled'],
  [answered('243'), 'disk-full'],
  [answered('75', 'Cannot write to file, errno: 28, strerror: No space left on device'), 'disk-full'],
  [answered('1001', 'std::filesystem::filesystem_error: File too large'), 'disk-full'],
  [answered('252', 'Too many parts'), 'unavailable'],
  [answered('516'), 'unavailable'],
  [answered('173', 'Allocator: Cannot malloc 1.00 MiB: , errno: 12'), 'unavailable'],
  [answered('1001', 'std::exception. Code: 1001, type: std::bad_alloc'), 'unavailable'],
  [answered('439', 'Cannot schedule a task: failed to start the thread'), 'unavailable'],
  [answered('62', 'Syntax error'), 'rejected'],
  [answered('27', 'Cannot parse input'), 'rejected'],
  [new Error('Poco::Exception. Code: 1000, HTML Form Exception: Field value too long'), 'rejected'],
  [network('ECONNREFUSED'), 'unavailable'],
  [new Error('socket hang up'), 'unavailable'],
  [new Error('<html>502 Bad Gateway</html>'), 'unavailable'],
  ['thrown by somebody careless', 'unavailable'],
])('%o means: %s', (problem, failure) => {
  expect(understood(problem)).toMatchObject({ name: 'EngineError', failure })
})

test('a failure that is understood already is passed on as it is', () => {
  const error = engineError('cancelled')
  expect(understood(error)).toBe(error)
})

test('ClickHouse’s number, its words and the cause are kept', () => {
  const cause = answered('62', 'Syntax error: failed at position 8')
  const error = understood(cause)
  expect(error).toMatchObject({ code: '62', cause })
  expect(error.message).toBe('The engine rejected the statement: Syntax error: failed at position 8')
})

test('an error without words is called by its code', () => {
  expect(understood(network('ECONNREFUSED')).message).toBe('The engine is not available: ECONNREFUSED')
})
