import type { EngineReadStats } from '../engine'

/** Parses the statistics in ClickHouse's response header; an invalid header counts as none. */
export function parseReadStats(summary: string | string[] | undefined): EngineReadStats {
  // the header contains numbers as text
  const { read_rows, read_bytes, memory_usage } = JSON.parse(String(summary ?? '{}')) as Record<
    string,
    string
  >
  return {
    rows: Number(read_rows ?? 0),
    bytes: Number(read_bytes ?? 0),
    ...(memory_usage !== undefined && { memoryBytes: Number(memory_usage) }),
  }
}
