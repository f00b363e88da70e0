import { ClickHouseError } from '@clickhouse/client'
import { expect, test } from 'vitest'
import { engineError, partNamedIn, rejectionReason, toEngineError } from './failures'

const answered = (code: string, message = 'something') => new ClickHouseError({ code, message, type: 'TYPE' })
const network = (code: string) => Object.assign(new Error(''), { code })

test.each([
  // the engine's failure   the failure for callers
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
  [answered('47', 'Unknown identifier'), 'rejected'],
  [answered('43', 'Illegal type of argument'), 'rejected'],
  [answered('53', 'Type mismatch'), 'rejected'],
  [answered('497', 'Not enough privileges'), 'rejected'],
  [answered('40', 'Checksum doesn’t match: corrupted data.'), 'corrupted'],
  [answered('246', 'Corrupted data'), 'corrupted'],
  [answered('228', 'Bad size of file'), 'corrupted'],
  [
    answered('33', 'Cannot read all data: (while reading from part /d/202603_1_1_0/ in table t.e)'),
    'corrupted',
  ],
  [
    answered('271', 'Cannot decompress: (while reading from part /d/202603_1_1_0/ in table t.e)'),
    'corrupted',
  ],
  [answered('117', 'Incorrect data'), 'rejected'],
  [answered('33', 'Cannot read all data'), 'failed'],
  [answered('49', 'Logical error: Bad cast'), 'failed'],
  [answered('1001', 'std::exception'), 'failed'],
  [answered('9999', 'a code nobody has seen yet'), 'failed'],
  [answered('74', 'Cannot read from file, errno: 5, strerror: Input/output error'), 'unavailable'],
  [answered('76', 'Cannot open file, errno: 24, strerror: Too many open files'), 'unavailable'],
  [
    answered(
      '76',
      'Cannot open file /d/202603_1_1_0/data.bin, errno: 24, strerror: Too many open files: (while reading from part /d/202603_1_1_0/ in table t.e)',
    ),
    'unavailable',
  ],
  [
    answered(
      '74',
      'Cannot read from file, errno: 12, strerror: Cannot allocate memory: (while reading from part /d/202603_1_1_0/ in table t.e)',
    ),
    'unavailable',
  ],
  [
    answered(
      '74',
      'Cannot read from file, errno: 5, strerror: Input/output error: (while reading from part /d/202603_1_1_0/ in table t.e)',
    ),
    'corrupted',
  ],
  [answered('210', 'Connection refused'), 'unavailable'],
  [new Error('Poco::Exception. Code: 1000, HTML Form Exception: Field value too long'), 'rejected'],
  [network('ECONNREFUSED'), 'unavailable'],
  [new Error('socket hang up'), 'unavailable'],
  [new Error('<html>502 Bad Gateway</html>'), 'unavailable'],
  ['thrown by somebody careless', 'unavailable'],
])('%o means: %s', (problem, failure) => {
  expect(toEngineError(problem)).toMatchObject({ name: 'EngineError', failure })
})

test('a failure that is understood already is passed on as it is', () => {
  const error = engineError('cancelled')
  expect(toEngineError(error)).toBe(error)
})

test('ClickHouse’s number, its words and the cause are kept', () => {
  const cause = answered('62', 'Syntax error: failed at position 8')
  const error = toEngineError(cause)
  expect(error).toMatchObject({ code: '62', cause })
  expect(error.message).toBe('The engine rejected the statement: Syntax error: failed at position 8')
})

test.each([
  // ClickHouse's message     the part
  [
    'eof: (while reading from part /srv/t/store/afd/afdfcb33-5662-49c2-8180-b01edb1cf3b6/202606_7_7_0/ in table tilth.events (x))',
    '202606_7_7_0',
  ],
  ['Checksum mismatch for file data.bin in data part 202603_2_2_0 (c5 vs 33)', '202603_2_2_0'],
  ['While reading part 202603_1_9_2: While executing MergeTreeSelect', '202603_1_9_2'],
  ['Syntax error: failed at position 8', undefined],
])('%s names the part %s', (message, part) => {
  expect(partNamedIn(message)).toBe(part)
})

test.each(['62', '40', '33', '49', '76', '210', '241', '243', '1001', '9999'])(
  'no path of the server is in the words for code %s',
  (code) => {
    const detail =
      'Cannot open /srv/tilth/engine/data/store/afd/afdfcb33-5662-49c2-8180-b01edb1cf3b6/1_1_1_0/data.bin: ' +
      'While reading /var/lib/tilth/x.bin, (a /home/ann/tilth/journal/1)'
    const error = toEngineError(answered(code, detail))

    expect(error.message).not.toMatch(/srv|store|var|home|data\.bin/)
    expect(rejectionReason(error)).not.toMatch(/srv|store|var|home|data\.bin/)
  },
)

test.each(["select * from events where path = '/blog/hello/x'", "where path = '/home/sale'"])(
  'a path that a statement itself names stays in the words about it: %s',
  (statement) => {
    expect(toEngineError(answered('62', `Syntax error: ${statement}`)).message).toContain(statement)
  },
)

test('an error without words is called by its code', () => {
  expect(toEngineError(network('ECONNREFUSED')).message).toBe('The engine is not available: ECONNREFUSED')
})
