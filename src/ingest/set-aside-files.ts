import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ErasureLookup, RowsOnDisk, ErasedRows } from '#persons/rows-on-disk'
import { DamagedSegmentPieces } from './internal/damaged-pieces'
import type { CollectionFacts } from './collection-state'
import { diskFiles, isDraft } from './internal/journal-files'
import { recordedMissingSegments } from './internal/journal-segment-list'
import type { Quarantine } from './internal/quarantine'
import { ErasedRowTally } from './internal/set-aside-rows'

const refreshEveryMs = 30_000

type SetAsideCounts = Pick<CollectionFacts, 'damagedFiles' | 'quarantineFiles' | 'gone'>

/** Counts events that the journal could not read or the engine rejected, while their files exist. */
export class SetAsideFileCounter {
  counts: SetAsideCounts = { damagedFiles: 0, quarantineFiles: 0, gone: [] }
  private readonly timer: NodeJS.Timeout

  /** The last counts stay while the files cannot be counted. */
  constructor(
    private readonly journalFolder: string,
    onTrouble: (problem: unknown) => void,
  ) {
    this.timer = setInterval(() => void this.refresh().catch(onTrouble), refreshEveryMs).unref()
    void this.refresh().catch(onTrouble)
  }

  async refresh(): Promise<void> {
    this.counts = await countSetAsideFiles(this.journalFolder)
  }

  stop(): void {
    clearInterval(this.timer)
  }
}

export async function countSetAsideFiles(journalFolder: string): Promise<SetAsideCounts> {
  const [damagedFiles, quarantineFiles, gone] = await Promise.all([
    filesIn(join(journalFolder, 'damaged')),
    filesIn(join(journalFolder, 'quarantine')),
    recordedMissingSegments(diskFiles, journalFolder),
  ])
  return { damagedFiles, quarantineFiles, gone }
}

/** Returns none if the folder does not exist; it is created on first use. */
async function filesIn(folder: string): Promise<number> {
  return await readdir(folder).then(
    (names) => names.length,
    (problem: unknown) => {
      if (problem instanceof Error && 'code' in problem && problem.code === 'ENOENT') return 0
      throw problem
    },
  )
}

/** The rows of events that were set aside: in quarantine, and in damaged pieces of the journal. */
export class SetAsideRows implements RowsOnDisk {
  private readonly damaged: DamagedSegmentPieces

  constructor(
    journalFolder: string,
    private readonly quarantine: Quarantine,
  ) {
    this.damaged = new DamagedSegmentPieces(join(journalFolder, 'damaged'))
  }

  /** Deletes incomplete files of a crash. Call it before anything is set aside. */
  async removeDrafts(): Promise<void> {
    for (const path of await this.paths()) if (isDraft(path)) await rm(path, { force: true })
  }

  async version(): Promise<string> {
    const found = await Promise.all((await this.paths()).map(describe))
    return found.toSorted().join('\n')
  }

  async forget(erasureOf: ErasureLookup): Promise<ErasedRows> {
    const tally = new ErasedRowTally()
    tally.add(await this.quarantine.forget(erasureOf))
    tally.add(await this.damaged.forget(erasureOf))
    return tally
  }

  private async paths(): Promise<string[]> {
    const folders = [this.quarantine.folder, this.damaged.folder]
    const names = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])))
    return folders.flatMap((folder, i) => (names[i] ?? []).map((name) => join(folder, name)))
  }
}

async function describe(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => undefined)
  return found ? `${path} ${found.size} ${found.mtimeNs}` : ''
}
