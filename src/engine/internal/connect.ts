import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client'
import type { EngineAddress } from '../engine'

/**
 * A response is buffered until it is complete: up to so many bytes in memory, the rest in a file. Without this every
 * response goes through a file, and on a full disk an embedded engine responds 200 without any row (decision 5).
 */
export const answerBytesInMemory = 4 * 1024 ** 2

export function connect({ url, username, password, database }: EngineAddress): ClickHouseClient {
  return createClient({
    url,
    username,
    password,
    database,
    application: 'tilth',
    // every request has a deadline of its own (see EngineClient)
    request_timeout: 2 ** 31 - 1,
    max_open_connections: 20,
    // a list of ten thousand ids is longer than a URL may be
    use_multipart_params_auto: true,
    log: { level: ClickHouseLogLevel.OFF },
  })
}
