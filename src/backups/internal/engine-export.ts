import type { EngineClient } from '#engine/client'
import { sql, string, uint } from '#engine/sql'
import { cloneIdentifier, cloneTableName, type EngineTable, engineTables } from './engine-clone'
import type { FileGroup } from '../manifest'
import type { Chunk, Repository } from '../repository'

/**
 * A remote engine's folder in a snapshot: a folder a table, in it a folder a part, in it slices in the format Native.
 */
export const engineExportFolder = 'engine-export'

/** The size that the engine counts in columns; a slice is held in memory, here and on the server. */
const sliceBytes = 8 * 1024 ** 2
const mostRowsInSlice = 200_000
const deadlineMs = 10 * 60_000

interface ClonedPart {
  name: string
  rows: number
  bytes: number
  hash: string
}

/**
 * Writes the clone with this id to the repository, part by part. A part never changes, and the server's own hash of its
 * files tells whether the last snapshot had it already.
 */
export async function exportEngine(
  client: EngineClient,
  id: string,
  { repository, before }: { repository: Repository; before: readonly FileGroup[] },
): Promise<FileGroup[]> {
  const groups: FileGroup[] = []
  for (const table of engineTables) {
    const known = new Map(before.filter(isOf(table)).map((group) => [group.mark, group]))
    for (const part of await partsOf(client, cloneTableName(id, table))) {
      const path = `${engineExportFolder}/${table}/${part.name}`
      const mark = `part ${part.hash}`
      const slices = await reusable(repository, known.get(mark))
      groups.push(groupOf(path, mark, slices ?? (await exportPart(client, { id, table, part, repository }))))
    }
  }
  return groups
}

const isOf =
  (table: EngineTable) =>
  ({ path }: FileGroup): boolean =>
    path.startsWith(`${engineExportFolder}/${table}/`)

/** Each slice is one file, and each file one chunk. */
const groupOf = (path: string, mark: string, chunks: readonly Chunk[]): FileGroup => ({
  path,
  mark,
  files: chunks.map(({ bytes }, n) => ({
    path: `${path}/${String(n).padStart(6, '0')}.native`,
    bytes,
    mode: 0o600,
  })),
  chunks: [...chunks],
})

async function reusable(repository: Repository, before: FileGroup | undefined): Promise<Chunk[] | undefined> {
  if (!before) return undefined
  for (const chunk of before.chunks) if (!(await repository.has(chunk))) return undefined
  return before.chunks
}

async function partsOf(client: EngineClient, table: string): Promise<ClonedPart[]> {
  return await client.query<ClonedPart>(
    sql`
      select name, toUInt64(rows) as rows, data_uncompressed_bytes as bytes, hash_of_all_files as hash
      from system.parts
      where database = currentDatabase() and table = ${string(table)} and active and rows > 0
      order by name`,
    { lane: 'ingest' },
  )
}

interface PartToExport {
  id: string
  table: EngineTable
  part: ClonedPart
  repository: Repository
}

async function exportPart(
  client: EngineClient,
  { id, table, part, repository }: PartToExport,
): Promise<Chunk[]> {
  const bytesPerRow = Math.max(1, part.bytes / part.rows)
  const step = Math.min(mostRowsInSlice, Math.max(1, Math.floor(sliceBytes / bytesPerRow)))
  const chunks: Chunk[] = []
  for (let from = 0; from < part.rows; from += step) {
    const slice = await client.queryNative(
      sql`
        select *
        from ${cloneIdentifier(id, table)}
        where _part = ${string(part.name)}
          and _part_offset >= ${uint(from)} and _part_offset < ${uint(from + step)}`,
      { deadlineMs },
    )
    // all rows of it may be deleted
    if (slice.length > 0) chunks.push(await repository.storeContent(slice))
  }
  return chunks
}
