import { ClickHouseError } from '@clickhouse/client'
import { EngineError, type EngineFailure } from './engine'

/**
 * ClickHouse's error codes, by what a caller can do about them. Any other code is an internal failure of the engine.
 */
const failuresByCode: Record<string, EngineFailure> = {
  159: 'deadline', // TIMEOUT_EXCEEDED
  160: 'deadline', // TOO_SLOW
  241: 'memory', // MEMORY_LIMIT_EXCEEDED
  396: 'memory', // TOO_MANY_ROWS_OR_BYTES: the answer would be larger than a caller can hold
  394: 'cancelled', // QUERY_WAS_CANCELLED
  735: 'cancelled', // QUERY_WAS_CANCELLED_BY_CLIENT
  243: 'disk-full', // NOT_ENOUGH_SPACE
  // These pass by themselves, or when an operator mends the server. They are worth another try.
  95: 'unavailable', // CANNOT_READ_FROM_SOCKET
  96: 'unavailable', // CANNOT_WRITE_TO_SOCKET
  173: 'unavailable', // CANNOT_ALLOCATE_MEMORY: not of its own limit, but of the whole machine's
  198: 'unavailable', // DNS_ERROR
  203: 'unavailable', // NO_FREE_CONNECTION
  439: 'unavailable', // CANNOT_SCHEDULE_TASK: no thread more
  192: 'unavailable', // UNKNOWN_USER
  193: 'unavailable', // WRONG_PASSWORD
  194: 'unavailable', // REQUIRED_PASSWORD
  202: 'unavailable', // TOO_MANY_SIMULTANEOUS_QUERIES
  209: 'unavailable', // SOCKET_TIMEOUT
  210: 'unavailable', // NETWORK_ERROR
  225: 'unavailable', // NO_ZOOKEEPER
  236: 'unavailable', // ABORTED
  242: 'unavailable', // TABLE_IS_READ_ONLY
  252: 'unavailable', // TOO_MANY_PARTS
  279: 'unavailable', // ALL_CONNECTION_TRIES_FAILED
  285: 'unavailable', // TOO_FEW_LIVE_REPLICAS
  286: 'unavailable', // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE
  289: 'unavailable', // REPLICA_IS_NOT_IN_QUORUM
  319: 'unavailable', // UNKNOWN_STATUS_OF_INSERT
  425: 'unavailable', // SYSTEM_ERROR
  516: 'unavailable', // AUTHENTICATION_FAILED
  745: 'unavailable', // SERVER_OVERLOADED
  999: 'unavailable', // KEEPER_EXCEPTION
  // The disk fails or its permissions are wrong, whatever was being read or written.
  74: 'unavailable', // CANNOT_READ_FROM_FILE_DESCRIPTOR
  75: 'unavailable', // CANNOT_WRITE_TO_FILE_DESCRIPTOR
  76: 'unavailable', // CANNOT_OPEN_FILE
  77: 'unavailable', // CANNOT_CLOSE_FILE
  87: 'unavailable', // CANNOT_SEEK_THROUGH_FILE
  88: 'unavailable', // CANNOT_TRUNCATE_FILE
  172: 'unavailable', // CANNOT_CREATE_DIRECTORY
  204: 'unavailable', // CANNOT_FSYNC
  214: 'unavailable', // CANNOT_STATVFS
  294: 'unavailable', // CANNOT_WRITE_TO_FILE
  400: 'unavailable', // CANNOT_STAT
  424: 'unavailable', // CANNOT_LINK
  458: 'unavailable', // CANNOT_UNLINK
  586: 'unavailable', // CANNOT_CREATE_FILE
  641: 'unavailable', // CANNOT_APPEND_TO_FILE
}

/** These codes always mean that a part on disk is damaged. */
const corruptions = new Set([
  '40', // CHECKSUM_DOESNT_MATCH
  '91', // SIZES_OF_MARKS_FILES_ARE_INCONSISTENT
  '226', // NO_FILE_IN_DATA_PART
  '227', // UNEXPECTED_FILE_IN_DATA_PART
  '228', // BAD_SIZE_OF_FILE_IN_DATA_PART
  '246', // CORRUPTED_DATA
  '740', // POTENTIALLY_BROKEN_DATA_PART
])

/** These codes mean damage only if the message names the part that was being read. */
const corruptionsWithinPart = new Set([
  '3', // UNEXPECTED_END_OF_FILE
  '9', // SIZES_OF_COLUMNS_DOESNT_MATCH
  '32', // ATTEMPT_TO_READ_AFTER_EOF
  '33', // CANNOT_READ_ALL_DATA
  '39', // TOO_LARGE_SIZE_COMPRESSED
  '74', // CANNOT_READ_FROM_FILE_DESCRIPTOR
  '76', // CANNOT_OPEN_FILE
  '89', // UNKNOWN_COMPRESSION_METHOD
  '107', // FILE_DOESNT_EXIST
  '117', // INCORRECT_DATA
  '128', // TOO_LARGE_ARRAY_SIZE
  '131', // TOO_LARGE_STRING_SIZE
  '271', // CANNOT_DECOMPRESS
  '354', // ZLIB_INFLATE_FAILED
  '432', // UNKNOWN_CODEC
  '561', // ZSTD_DECODER_FAILED
  '618', // LZ4_DECODER_FAILED
])

/** Every code under which a reader or a merge may report a damaged part. */
export const corruptionCodes: readonly number[] = [...corruptions, ...corruptionsWithinPart].map(Number)

const codeSet = (...codes: (number | readonly [number, number])[]): Set<string> =>
  new Set(
    codes.flatMap((code) =>
      typeof code === 'number'
        ? [String(code)]
        : Array.from({ length: code[1] - code[0] + 1 }, (_, i) => String(code[0] + i)),
    ),
  )

/**
 * These codes mean that the statement or its rows are wrong: syntax, names, types, values, rights and size limits. The
 * names are in ClickHouse's src/Common/ErrorCodes.cpp.
 */
const statementCodes = codeSet(
  [1, 2],
  // parsing values and counting columns
  [6, 8],
  [11, 20],
  [25, 28],
  [34, 38],
  [41, 48],
  [50, 53],
  [55, 63],
  [69, 70],
  [72, 73],
  [78, 82],
  [85, 85],
  [115, 117],
  [119, 135],
  [141, 153],
  158,
  [161, 170],
  [174, 191],
  [206, 208],
  211,
  [213, 215],
  223,
  229,
  232,
  248,
  [256, 260],
  262,
  264,
  269,
  277,
  [282, 284],
  288,
  290,
  [306, 309],
  321,
  344,
  346,
  349,
  [352, 353],
  358,
  [376, 378],
  386,
  [392, 393],
  395,
  [397, 399],
  403,
  [406, 408],
  [417, 421],
  427,
  [431, 433],
  438,
  [440, 441],
  446,
  450,
  452,
  [455, 457],
  467,
  [469, 472],
  [474, 477],
  [481, 482],
  [490, 491],
  [497, 498],
  503,
  524,
  527,
  [544, 546],
  549,
  [557, 558],
  563,
  565,
  572,
  578,
  [580, 583],
  596,
  [620, 621],
  626,
  628,
  632,
  645,
  [675, 676],
  691,
  [703, 705],
  718,
  721,
  728,
)

export const signInErrorCodes = new Set(['192', '193', '194', '516'])

/** A full disk has several error codes, depending on what was being written. */
const noSpace = /No space left on device|ENOSPC|File too large/

/** A machine without memory is unavailable, too: C++ exceptions have none of ClickHouse's codes. */
const noMemory = /bad_alloc|Cannot m?alloc|Cannot allocate memory/

/**
 * Error numbers that mean a damaged or missing file: ENOENT, EIO, ENODATA, EBADMSG, EUCLEAN. With any other number (no
 * free descriptor, no memory, a permission) the file may be intact and readable later.
 */
const damagingErrnos = new Set(['2', '5', '61', '74', '117'])

const isPassing = (detail: string): boolean => {
  const errno = /errno: (\d+)/.exec(detail)?.[1]
  return errno !== undefined && !damagingErrnos.has(errno)
}

const failureMessages: Record<EngineFailure, (detail: string) => string> = {
  unavailable: (detail) => `The engine is not available: ${detail}`,
  deadline: () => 'The engine did not answer in time. Ask about a shorter period, or allow more time.',
  memory: () =>
    'The engine would need more memory than it may use. Ask about a shorter period, or give it more (TILTH_MEMORY).',
  cancelled: () => 'The question was cancelled.',
  'disk-full': () => 'The disk of the engine is full. Make room; writing goes on by itself then.',
  rejected: (detail) => `The engine rejected the statement: ${detail}`,
  corrupted: () =>
    'A part of the engine’s data is damaged. Tilth takes it out of use and answers from the rest; ask again in a moment.',
  failed: (detail) =>
    `The engine failed. The question is not the reason; this is for the operator. (${detail})`,
}

/** Server paths reveal the machine's layout to outsiders, and do not help readers. */
const anyPath = /(?<![\w:/.])\/(?:[^\s/'"`,;:()<>]+\/)+[^\s'"`,;:()<>]*/g
const ownPath =
  /(?<![\w:/.])\/(?:[^\s/'"`,;:()<>]+\/)*(?:store\/[0-9a-f]{3}\/[0-9a-f-]{36}|detached|metadata)\/[^\s'"`,;:()<>]*/g
const systemPath =
  /(?<![\w:/.'"`])\/(?:var|tmp|home|root|opt|srv|mnt|media|usr|etc|proc|sys|run|dev|Users|private|nix)\/[^\s'"`,;:()<>]*/g

/** Removes paths, but keeps those in the quotation of a rejected statement: `path = '/blog/hello'` is not a file. */
function withoutPaths(detail: string, failure: EngineFailure): string {
  const patterns = failure === 'rejected' ? [ownPath, systemPath] : [anyPath]
  return patterns.reduce((text, pattern) => text.replaceAll(pattern, '(a file of the engine)'), detail)
}

/** Returns ClickHouse's message about a rejected statement, for people to read. */
export function rejectionReason({ cause, message, failure }: EngineError): string {
  return withoutPaths(cause instanceof Error ? cause.message : message, failure)
}

export function engineError(failure: EngineFailure, detail = '', cause?: unknown): EngineError {
  const code = cause instanceof ClickHouseError ? cause.code : undefined
  return new EngineError(failure, failureMessages[failure](withoutPaths(detail, failure)), { cause, code })
}

/** Classifies a failed request to the engine. */
export function toEngineError(problem: unknown): EngineError {
  if (problem instanceof EngineError) return problem
  const detail = problem instanceof Error ? problem.message.trim() || codeOf(problem) : String(problem)
  const failure = failureOf(problem, detail)
  return engineError(failure, failure === 'failed' ? nameOf(problem) : detail, problem)
}

/** The name of the error, which the operator can search for; its text may contain rows and files. */
function nameOf(problem: unknown): string {
  return problem instanceof ClickHouseError
    ? `${problem.type ?? 'unknown'}, code ${problem.code}`
    : String(problem)
}

function failureOf(problem: unknown, detail: string): EngineFailure {
  if (noSpace.test(detail)) return 'disk-full'
  if (noMemory.test(detail)) return 'unavailable'
  if (problem instanceof ClickHouseError) return failureOfCode(problem.code, detail)
  // ClickHouse's HTTP server gives no proper code to an invalid request; everything else never reached it
  return detail.startsWith('Poco::Exception') ? 'rejected' : 'unavailable'
}

function failureOfCode(code: string, detail: string): EngineFailure {
  const isAboutPart =
    corruptionsWithinPart.has(code) && partNamedIn(detail) !== undefined && !isPassing(detail)
  if (corruptions.has(code) || isAboutPart) return 'corrupted'
  return failuresByCode[code] ?? (statementCodes.has(code) ? 'rejected' : 'failed')
}

/** Returns the name of the part in an error message. */
export function partNamedIn(message: string): string | undefined {
  const found =
    /while reading from part (?:\S*\/)?([\w-]+)\/? in table/.exec(message) ??
    /in data part ([\w-]+)/.exec(message) ??
    /While reading part ([\w-]+)/.exec(message)
  return found?.[1]
}

function codeOf(problem: Error): string {
  return 'code' in problem ? String(problem.code) : problem.name
}
