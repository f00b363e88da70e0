import { ClickHouseError } from '@clickhouse/client'
import { EngineError, type EngineFailure } from './engine'

/** ClickHouse's error numbers, by what a caller can do about them. Whatever is not here was a wrong statement. */
const failuresByCode: Record<string, EngineFailure> = {
  159: 'deadline', // TIMEOUT_EXCEEDED
  160: 'deadline', // TOO_SLOW
  241: 'memory', // MEMORY_LIMIT_EXCEEDED
  396: 'memory', // TOO_MANY_ROWS_OR_BYTES: the answer would be larger than a caller can hold
  394: 'cancelled', // QUERY_WAS_CANCELLED
  735: 'cancelled', // QUERY_WAS_CANCELLED_BY_CLIENT
  243: 'disk-full', // NOT_ENOUGH_SPACE
  // What passes by itself, or when a person mends the server: worth another try, and no reason to give up a batch.
  173: 'unavailable', // CANNOT_ALLOCATE_MEMORY: not of its own limit, but of the whole machine's
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
  319: 'unavailable', // UNKNOWN_STATUS_OF_INSERT
  516: 'unavailable', // AUTHENTICATION_FAILED
  999: 'unavailable', // KEEPER_EXCEPTION
}

export const refusedSignIn = new Set(['192', '193', '194', '516'])

/** A full disk shows under several numbers, depending on what was being written. */
const noSpace = /No space left on device|ENOSPC|File too large/

/** So does a machine without memory: where C++ says it, it is none of ClickHouse's numbers. */
const noMemory = /bad_alloc|Cannot m?alloc|Cannot allocate memory/

const sentences: Record<EngineFailure, (detail: string) => string> = {
  unavailable: (detail) => `The engine is not available: ${detail}`,
  deadline: () => 'The engine did not answer in time. Ask about a shorter period, or allow more time.',
  memory: () =>
    'The engine would need more memory than it may use. Ask about a shorter period, or give it more (TILTH_MEMORY).',
  cancelled: () => 'The question was cancelled.',
  'disk-full': () => 'The disk of the engine is full. Make room; writing goes on by itself then.',
  rejected: (detail) => `The engine rejected the statement: ${detail}`,
}

export function engineError(failure: EngineFailure, detail = '', cause?: unknown): EngineError {
  const code = cause instanceof ClickHouseError ? cause.code : undefined
  return new EngineError(failure, sentences[failure](detail), { cause, code })
}

/** What a failed request to the engine means. */
export function understood(problem: unknown): EngineError {
  if (problem instanceof EngineError) return problem
  const detail = problem instanceof Error ? problem.message.trim() || codeOf(problem) : String(problem)
  return engineError(failureOf(problem, detail), detail, problem)
}

function failureOf(problem: unknown, detail: string): EngineFailure {
  if (noSpace.test(detail)) return 'disk-full'
  if (noMemory.test(detail)) return 'unavailable'
  if (problem instanceof ClickHouseError) return failuresByCode[problem.code] ?? 'rejected'
  // What its HTTP server finds wrong with a request has no proper number; all else never reached it.
  return detail.startsWith('Poco::Exception') ? 'rejected' : 'unavailable'
}

function codeOf(problem: Error): string {
  return 'code' in problem ? String(problem.code) : problem.name
}
