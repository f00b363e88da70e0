import type { EngineClient } from '#engine/client'
import { cloneIdentifier, cloneTableName, type EngineTable, engineTables } from './engine-clone'
import type { FileGroup } from '../manifest'
import type { Chunk, Repository } from '../repository'
import { type EnginePart, partsIn, slicesOf } from './native-slices'

/**
 * A remote engine's folder in a snapshot: a folder a table, in it a folder a part, in it slices in the format Native.
 */
export const engineExportFolder = 'engine-export'

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
    for (const part of await partsIn(client, cloneTableName(id, table))) {
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

interface PartToExport {
  id: string
  table: EngineTable
  part: EnginePart
  repository: Repository
}

async function exportPart(
  client: EngineClient,
  { id, table, part, repository }: PartToExport,
): Promise<Chunk[]> {
  const chunks: Chunk[] = []
  for await (const slice of slicesOf(client, cloneIdentifier(id, table), part))
    chunks.push(await repository.storeContent(slice))
  return chunks
}
