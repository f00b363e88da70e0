import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ProcessLog } from '#processes/supervise'
import type { EngineClient } from './client'
import { type DetachedPart, EngineError } from './engine'
import { corruptionCodes, partNamedIn } from './failures'
import { dropSalvage, finishSalvage, isSalvageTable, salvage, unfinishedSalvages } from './internal/salvage'
import { identifier, literal, sql, type Sql, string, uints } from './sql'

type EngineAccess = Pick<EngineClient, 'query' | 'command'>

interface BrokenPartsSettings {
  log: ProcessLog
  /** The file that records detached parts across restarts; absent for a server on another machine. */
  recordFile?: string
}

interface PartRow {
  table: string
  /** Whether the server keeps other replicas of the table. */
  isReplicated: boolean
  name: string
  partition: string
  rows: number
  first: number
  last: number
  level: number
}

interface DetachedRow {
  table: string
  name: string
  reason: string
  path: string
  partition: string
  first: number | null
  last: number | null
  level: number | null
}

/** The record of one detached part. */
interface RecordedPart extends DetachedPart {
  /** Whether no data is missing: its rows are in other parts, or were never acknowledged. */
  isHarmless: boolean
}

/** Checking a whole table for damage takes long. */
const checkDeadlineMs = 30 * 60_000
const listDeadlineMs = 5_000
/** The folder `detached/` is listed with every so many checks, to notice an operator's changes. */
const checksPerListing = 15
/** A part whose reads fail this often is detached even if its check passes. */
const mostFailures = 3

/**
 * Finds damaged parts on disk and detaches them, so that everything else can be read and merged. Their readable rows are
 * copied before. Parts of a replicated table are left to the server, which fetches them from another replica. The engine
 * counts its errors by code for every query and merge; a growing count starts a check.
 */
export class BrokenParts {
  private readonly log: ProcessLog
  private readonly recordFile: string | undefined
  private recorded: Map<string, RecordedPart> | undefined
  private missingParts: readonly DetachedPart[] = []
  private repairingParts: readonly DetachedPart[] = []
  /** The error count at the last check. */
  private errorsSeen: number | undefined
  private isSecondLook = false
  private readonly failures = new Map<string, number>()
  private readonly suspects = new Set<string>()
  private checking: Promise<void> | undefined
  private checkCount = 0

  constructor({ log, recordFile }: BrokenPartsSettings) {
    this.log = log
    this.recordFile = recordFile
  }

  /** The parts whose rows are missing from all answers. */
  get detached(): readonly DetachedPart[] {
    return this.missingParts
  }

  /** The damaged parts that the server fetches from another replica. */
  get repairing(): readonly DetachedPart[] {
    return this.repairingParts
  }

  /** Receives the message of a failure that names a damaged part; the next check covers that part. */
  markSuspect(message: string): void {
    const name = partNamedIn(message)
    if (name) this.suspects.add(name)
    this.errorsSeen = -1
  }

  /** Runs a statement. If it fails on damage, it rethrows, and `check` covers the part that the failure names. */
  async reportingDamage<Answer>(work: () => Promise<Answer>, check: () => Promise<void>): Promise<Answer> {
    try {
      return await work()
    } catch (problem) {
      if (problem instanceof EngineError && problem.failure === 'corrupted') {
        this.markSuspect(problem.cause instanceof Error ? problem.cause.message : problem.message)
        void check()
      }
      throw problem
    }
  }

  /** Resets the state after a restart of the server: its counts begin at 0, and it may have detached parts itself. */
  async restarted(client: EngineAccess, { lostWrites }: { lostWrites: boolean }): Promise<void> {
    this.errorsSeen = 0
    await this.finishSalvages(client)
    await this.updateDetached(client, lostWrites)
  }

  /** Checks what has become suspicious since the last check. Only one check runs at a time. */
  check(client: EngineAccess): Promise<void> {
    this.checking ??= this.checkOnce(client).finally(() => (this.checking = undefined))
    return this.checking
  }

  private async checkOnce(client: EngineAccess): Promise<void> {
    const errors = await errorsOf(client)
    this.checkCount += 1
    if (this.checkCount % checksPerListing === 0) {
      await this.updateDetached(client, false)
      await this.recheckRepairing(client)
    }
    if (this.errorsSeen === errors) return
    const found = errors > 0 ? await this.findDamage(client) : 0
    const after = await errorsOf(client)
    // checks of damaged parts count as errors themselves; where none was found, a part was met meanwhile
    this.isSecondLook = found === 0 && after > errors && !this.isSecondLook
    this.errorsSeen = this.isSecondLook ? errors : after
    await this.updateDetached(client, false)
  }

  /** Returns the number of damaged parts. */
  private async findDamage(client: EngineAccess): Promise<number> {
    const suspects = [...this.suspects]
    this.suspects.clear()
    await this.finishSalvages(client)
    const parts = await partsOf(client)
    const named = parts.filter(({ name }) => suspects.includes(name))
    let found = 0
    for (const part of named) found += (await this.detachIfBroken(client, part)) ? 1 : 0
    if (found > 0) return found
    for (const table of new Set(parts.map((part) => part.table)))
      for (const name of await brokenIn(client, table)) {
        await this.detach(client, parts, table, name)
        found += 1
      }
    return found
  }

  private async detachIfBroken(client: EngineAccess, part: PartRow): Promise<boolean> {
    const failures = (this.failures.get(part.name) ?? 0) + 1
    this.failures.set(part.name, failures)
    if (failures < mostFailures && (await isIntact(client, part))) return false
    await this.detach(client, [part], part.table, part.name)
    return true
  }

  private async detach(
    client: EngineAccess,
    parts: readonly PartRow[],
    table: string,
    name: string,
  ): Promise<void> {
    const part = parts.find((one) => one.table === table && one.name === name)
    // the part is no longer in use
    if (!part) return
    if (part.isReplicated) return this.leaveToReplicas(part)
    const rows = isSalvageTable(table) ? part.rows : await salvage(client, part)
    await client.command(sql`alter table ${identifier(table, [table])} detach part ${string(name)}`)
    await this.record(table, { table, name, rows, isHarmless: rows === 0 })
    if (!isSalvageTable(table)) await finishSalvage(client, { table, part: name })
    this.log.error(
      { table, part: name, rows },
      `The part ${name} of the table ${table} is damaged and was detached: ${rows} of its ${part.rows} rows cannot be read. ${rows === 0 ? 'The others are in use.' : detachedRemedy}`,
    )
  }

  private leaveToReplicas({ table, name, rows }: PartRow): void {
    if (this.repairingParts.some((part) => part.table === table && part.name === name)) return
    this.repairingParts = [...this.repairingParts, { table, name, rows }]
    this.log.warn(
      { table, part: name, rows },
      `The part ${name} of the table ${table} is damaged. Nothing was detached: the server fetches it from another replica.`,
    )
  }

  private async recheckRepairing(client: EngineAccess): Promise<void> {
    if (this.repairingParts.length === 0) return
    const parts = await partsOf(client)
    const damaged: DetachedPart[] = []
    for (const repairing of this.repairingParts) {
      const part = parts.find(({ table, name }) => table === repairing.table && name === repairing.name)
      if (part && !(await isIntact(client, part))) damaged.push(repairing)
    }
    this.repairingParts = damaged
  }

  /** Rows that were copied from a part are put in its place if it was detached; otherwise they are copied again. */
  private async finishSalvages(client: EngineAccess): Promise<void> {
    const salvages = await unfinishedSalvages(client)
    if (salvages.length === 0) return
    const parts = await partsOf(client)
    const detached = await detachedOf(client)
    for (const unfinished of salvages) {
      const isIt = ({ table, name }: { table: string; name: string }) =>
        table === unfinished.table && name === unfinished.part
      const folder = detached.find(isIt)
      if (parts.some(isIt) || !folder) await dropSalvage(client, unfinished)
      else await this.finishDetached(client, folder, unfinished.rows)
    }
  }

  private async finishDetached(client: EngineAccess, detached: DetachedRow, salvaged: number): Promise<void> {
    const { table, name, path: folder } = detached
    const all = await countIn(folder)
    const known = await this.records()
    if (!known.has(keyOf(detached))) {
      const rows = all === undefined ? undefined : Math.max(0, all - salvaged)
      await this.record(table, { table, name, rows, isHarmless: rows === 0 })
    }
    await finishSalvage(client, { table, part: name })
  }

  /** Reads `detached/`, because an operator may have restored or deleted a part. */
  private async updateDetached(client: EngineAccess, lostWrites: boolean): Promise<void> {
    const found = await detachedOf(client)
    const parts = await partsOf(client)
    const known = await this.records()
    for (const row of found) {
      if (known.has(keyOf(row))) continue
      const isHarmless = lostWrites || isReplaced(row, parts)
      const rows = await countIn(row.path)
      await this.record(row.table, { table: row.table, name: row.name, rows, isHarmless })
      if (!isHarmless)
        this.log.error(
          { table: row.table, part: row.name, reason: row.reason, rows },
          `The part ${row.name} of the table ${row.table} is detached${rows === undefined ? '' : ` with its ${rows} rows`}. ${detachedRemedy}`,
        )
    }
    const detachedKeys = new Set(found.map(keyOf))
    const gone = [...known.keys()].filter((key) => !detachedKeys.has(key))
    for (const key of gone) known.delete(key)
    if (gone.length > 0) await this.save(known)
    this.missingParts = [...known.values()]
      .filter(({ isHarmless }) => !isHarmless)
      .map(({ table, name, rows }) => ({ table, name, rows }))
  }

  private async record(table: string, part: RecordedPart): Promise<void> {
    const known = await this.records()
    known.set(keyOf({ table, name: part.name }), part)
    await this.save(known)
  }

  private async save(known: ReadonlyMap<string, RecordedPart>): Promise<void> {
    if (!this.recordFile) return
    await writeFile(this.recordFile, JSON.stringify([...known.values()]), { mode: 0o600 })
  }

  private async records(): Promise<Map<string, RecordedPart>> {
    this.recorded ??= new Map((await this.readRecords()).map((part) => [keyOf(part), part]))
    return this.recorded
  }

  /** An unreadable record file is rebuilt from `detached/`. */
  private async readRecords(): Promise<RecordedPart[]> {
    if (!this.recordFile) return []
    try {
      // only this class writes the file
      return JSON.parse(await readFile(this.recordFile, 'utf8')) as RecordedPart[]
    } catch {
      return []
    }
  }
}

/** Returns the recorded parts while no engine runs, for the doctor. */
export async function recordedDetached(recordFile: string): Promise<DetachedPart[]> {
  const text = await readFile(recordFile, 'utf8').catch(() => '[]')
  // only `BrokenParts` writes the file
  return (JSON.parse(text) as RecordedPart[])
    .filter(({ isHarmless }) => !isHarmless)
    .map(({ table, name, rows }) => ({ table, name, rows }))
}

const detachedRemedy =
  'These rows are missing from every answer. Restore them from a backup, then delete the folder under detached/.'

const keyOf = ({ table, name }: { table: string; name: string }): string => `${table} ${name}`

/**
 * An interrupted merge leaves a broken part, and its source parts stay in use. Then some active part covers its range
 * of blocks. So does the part that a replica has fetched.
 */
function isReplaced(row: DetachedRow, parts: readonly PartRow[]): boolean {
  const { first, last, level } = row
  if (first === null || last === null) return false
  return parts.some(
    (part) =>
      (level || part.isReplicated) &&
      part.table === row.table &&
      part.partition === row.partition &&
      part.first <= last &&
      part.last >= first,
  )
}

const checkLimits = { lane: 'ingest', deadlineMs: listDeadlineMs } as const

async function errorsOf(client: EngineAccess): Promise<number> {
  const [row] = await client.query<{ errors: number }>(
    sql`select sum(value) as errors from system.errors where code in ${uints(corruptionCodes)}`,
    checkLimits,
  )
  return row?.errors ?? 0
}

async function partsOf(client: EngineAccess): Promise<PartRow[]> {
  return await client.query<PartRow>(
    sql`
      select table, match(engine, '^(Replicated|Shared)') as isReplicated, name, partition_id as partition, rows,
        min_block_number as first, max_block_number as last, level
      from system.parts
      where database = currentDatabase() and active`,
    checkLimits,
  )
}

async function detachedOf(client: EngineAccess): Promise<DetachedRow[]> {
  return await client.query<DetachedRow>(
    sql`
      select table, name, ifNull(reason, '') as reason, path, ifNull(partition_id, '') as partition,
        min_block_number as first, max_block_number as last, level
      from system.detached_parts
      where database = currentDatabase()`,
    checkLimits,
  )
}

interface PartCheck {
  part_path: string
  is_passed: number
}

const eachPart = sql`settings check_query_single_value_result = 0`

async function brokenIn(client: EngineAccess, table: string): Promise<string[]> {
  const rows = await client.query<PartCheck>(sql`check table ${identifier(table, [table])} ${eachPart}`, {
    lane: 'ingest',
    deadlineMs: checkDeadlineMs,
  })
  return rows.filter(({ is_passed }) => is_passed === 0).map((row) => path.basename(row.part_path))
}

/** `check table` accepts no bound values, and the name of a part only as one, so the whole partition is checked. */
async function isIntact(client: EngineAccess, { table, name, partition }: PartRow): Promise<boolean> {
  const rows = await client.query<PartCheck>(checkOf(table, partition), {
    lane: 'ingest',
    deadlineMs: checkDeadlineMs,
  })
  return rows.every((row) => path.basename(row.part_path) !== name || row.is_passed !== 0)
}

const checkOf = (table: string, partition: string): Sql =>
  sql`check table ${identifier(table, [table])} partition id ${literal(partition)} ${eachPart}`

/**
 * Reads the number of rows from a file in the detached part. The folders of a server on another machine cannot be read.
 */
async function countIn(folder: string): Promise<number | undefined> {
  const text = await readFile(path.join(folder, 'count.txt'), 'utf8').catch(() => '')
  return /^\d+$/.test(text.trim()) ? Number(text) : undefined
}
