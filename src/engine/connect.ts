import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client'
import type { EngineAddress } from './engine'

/**
 * An answer is kept until it is whole: up to so many bytes in memory, the rest in a file of the engine. Without this
 * every answer goes through a file, and on a full disk an embedded engine answers 200 without any row (decision 5).
 */
export const answerBytesInMemory = 4 * 1024 ** 2

export function connect({ url, username, password, database }: EngineAddress): ClickHouseClient {
  return createClient({
    url,
    username,
    password,
    database,
    application: 'tilth',
    // Every request has a deadline of its own, kept above.
    request_timeout: 2 ** 31 - 1,
    max_open_connections: 20,
    // A list of ten thousand ids is longer than an address may be.
    use_multipart_params_auto: true,
    log: { level: ClickHouseLogLevel.OFF },
  })
}
