import type { EngineReadStats } from './engine'

/** What a request read, as ClickHouse's own header says; whatever else stands there counts as nothing. */
export function parseReadStats(summary: string | string[] | undefined): EngineReadStats {
  // numbers come as text in it
  const { read_rows, read_bytes } = JSON.parse(String(summary ?? '{}')) as Record<string, string>
  return { rows: Number(read_rows ?? 0), bytes: Number(read_bytes ?? 0) }
}
