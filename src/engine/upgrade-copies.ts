import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineClient } from './client'
import { type Engine, EngineError, type EngineFailure } from './engine'
import { identifier, type Sql, sql, string } from './sql'

type EngineAccess = Pick<EngineClient, 'query' | 'command'>

/** The copies from before upgrades to remove: all unless an instant is given that they were made before. */
interface CopiesToRemove {
  madeBefore?: Date | undefined
}

const clonePrefix = 'tilth_before_step_'
const otherClones = 'tilth_backup_'
const deadlineMs = 10 * 60_000

/**
 * Clones the tables of a server on another machine before an upgrade changes them: the server links their parts, and no
 * row is copied. A repeated upgrade keeps the clones of its first attempt. Returns what to do if the server does not
 * clone.
 */
export async function cloneBeforeUpgrade(
  client: EngineAccess,
  step: number,
): Promise<{ refused: string } | undefined> {
  const prefix = `${clonePrefix}${step}_`
  const existing = await tablesLike(client, sql`startsWith(name, ${string(prefix)})`)
  if (existing.includes(`${prefix}events`)) return undefined
  try {
    // a clone leaves out what UPDATE wrote beside the parts
    await client.command(sql`alter table events apply patches settings mutations_sync = 2`, { deadlineMs })
    const tables = await tablesLike(
      client,
      sql`engine like '%MergeTree' and not startsWith(name, ${string(clonePrefix)})
        and not startsWith(name, ${string(otherClones)})`,
    )
    // the events come last: they tell whether the clones are complete
    for (const table of tables.toSorted((one) => (one === 'events' ? 1 : -1))) {
      if (existing.includes(prefix + table))
        await client.command(dropStatement(prefix + table), { deadlineMs })
      await client.command(sql`create table ${nameOf(prefix + table)} clone as ${nameOf(table)}`, {
        deadlineMs,
      })
    }
    return undefined
  } catch (problem) {
    if (!(problem instanceof EngineError) || !finalFailures.has(problem.failure)) throw problem
    return { refused: refusalFor(step, problem) }
  }
}

/** Failures that waiting does not mend. */
const finalFailures: ReadonlySet<EngineFailure> = new Set(['rejected', 'failed'])

function refusalFor(step: number, { message, cause }: EngineError): string {
  const reason = cause instanceof Error ? cause.message : message
  return (
    `This version changes the engine's tables, and the server could not clone them before (${reason}). Give the ` +
    'user of TILTH_ENGINE the rights to create tables and to alter events in this database. Or back the server up by ' +
    `its own means, then run: create table ${clonePrefix}${step}_events (confirmed UInt8) engine = MergeTree order by ` +
    'tuple(). Then start again. Nothing was changed.'
  )
}

/**
 * Removes the clones on a server, and the links that an embedded engine has in `upgradesFolder` (see `part-links.ts`):
 * they have the events of persons who are erased later.
 */
export async function removeUpgradeCopies(
  engine: Pick<Engine, 'query' | 'command'>,
  upgradesFolder: string,
  { madeBefore }: CopiesToRemove,
): Promise<void> {
  const isOlder = madeBefore
    ? sql`metadata_modification_time < toDateTime(${string(inSeconds(madeBefore))})`
    : sql`true`
  const clones = await tablesLike(engine, sql`startsWith(name, ${string(clonePrefix)}) and ${isOlder}`)
  for (const clone of clones) await engine.command(dropStatement(clone), { deadlineMs })
  const limit = madeBefore && `engine-${madeBefore.toISOString().replaceAll(/[:.]/g, '-')}`
  const names: string[] = await readdir(upgradesFolder).catch(() => [])
  for (const name of names.filter((each) => /^(?:new-)?engine-/.test(each)))
    if (limit === undefined || name.replace(/^new-/, '') < limit)
      await rm(join(upgradesFolder, name), { recursive: true, force: true })
}

const inSeconds = (at: Date): string => String(Math.floor(at.getTime() / 1000))

async function tablesLike(engine: Pick<Engine, 'query'>, condition: Sql): Promise<string[]> {
  const rows = await engine.query<{ name: string }>(
    sql`select name from system.tables where database = currentDatabase() and ${condition} order by name`,
    { lane: 'ingest' },
  )
  return rows.map(({ name }) => name)
}

const nameOf = (table: string): Sql => identifier(table, [table])

/** A server's limit for dropping tables is not for these. */
const dropStatement = (table: string): Sql =>
  sql`drop table if exists ${nameOf(table)} sync settings max_table_size_to_drop = 0`
