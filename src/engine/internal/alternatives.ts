import type { EngineClient } from '../client'
import { EngineError } from '../engine'
import { sql } from '../sql'

/** A capability that a managed server may refuse, and how Tilth does without it. */
interface Alternative {
  concerns: (statement: string) => boolean
  isRefusal: (refusal: EngineError) => boolean
  /** The statements in its place, in this order; each may be refused in its turn. */
  instead: (statement: string) => string[]
  /** The sentence for the log and the doctor. */
  consequence: string
}

type AlternativeName = 'fsync' | 'block-numbers' | 'drop-limit' | 'update' | 'clone' | 'attach'

/** UNKNOWN_SETTING, SETTING_CONSTRAINT_VIOLATION, READONLY, NOT_IMPLEMENTED, SUPPORT_IS_DISABLED, BAD_ARGUMENTS */
const settingCodes = new Set(['115', '452', '164', '48', '344', '36'])

/** NOT_IMPLEMENTED, SUPPORT_IS_DISABLED, UNSUPPORTED_METHOD, INCORRECT_QUERY, QUERY_IS_PROHIBITED, SYNTAX_ERROR of older servers */
const statementCodes = new Set(['48', '344', '1', '80', '392', '62'])

const lightweightUpdate = /^\s*update\s+(\S+)\s+set\s+([\s\S]+)$/i
const patchApplication = /^\s*alter table \S+ apply patches\b/i
const cloning = /^\s*create table (\S+) clone as (\S+)\s*$/i
const attaching = /^\s*alter table (\S+) attach partition all from (\S+)\s*$/i

/** Everything that is done without where a server refuses it. The next statements of the same kind do not try again. */
const alternatives: Record<AlternativeName, Alternative> = {
  fsync: withoutSettings(
    ['fsync_after_insert', 'fsync_part_directory'],
    'The server refuses fsync for tables: unless they are in an object storage, it answers for events before they are on its disk, so a power cut on its machine can lose those of its last seconds, although their senders were told that they are stored. Tilth then reports how many are missing.',
  ),
  'block-numbers': withoutSettings(
    ['enable_block_number_column', 'enable_block_offset_column'],
    'The server refuses columns of block numbers: a merged person is written into the events by rewriting their parts, which costs it more.',
  ),
  'drop-limit': withoutSettings(
    ['max_table_size_to_drop'],
    'The server insists on its limit for dropping tables: copies above it stay until an administrator drops them.',
  ),
  update: {
    concerns: (statement) => lightweightUpdate.test(statement) || patchApplication.test(statement),
    isRefusal: hasCodeOf(statementCodes),
    // without UPDATE there are no patches to apply
    instead: (statement) =>
      patchApplication.test(statement)
        ? []
        : [
            statement.replace(
              lightweightUpdate,
              (_, table: string, change: string) =>
                `alter table ${table} update ${change} settings mutations_sync = 2`,
            ),
          ],
    consequence:
      'The server refuses lightweight updates: a merged person is written into the events by a mutation, which rewrites their parts.',
  },
  clone: {
    concerns: (statement) => cloning.test(statement),
    isRefusal: hasCodeOf(statementCodes),
    instead: (statement) => {
      const [, to = '', from = ''] = cloning.exec(statement) ?? []
      const draft = unfinished(to)
      // renamed last, so that a copy of this name is always complete
      return [
        `drop table if exists ${draft} sync`,
        `create table ${draft} as ${from}`,
        `alter table ${draft} attach partition all from ${from}`,
        `rename table ${draft} to ${to}`,
      ]
    },
    consequence:
      'The server refuses to clone tables: copies for backups and upgrades are made by attaching the parts to a new table.',
  },
  attach: {
    concerns: (statement) => attaching.test(statement),
    isRefusal: hasCodeOf(statementCodes),
    instead: (statement) => [statement.replace(attaching, 'insert into $1 select * from $2')],
    consequence:
      'The server refuses to attach parts of another table: copies for backups and upgrades are made row by row, which takes as much room again and holds up collection meanwhile.',
  },
}

// the keys of `alternatives`, which its type lists
const names = Object.keys(alternatives) as AlternativeName[]

function withoutSettings(settings: readonly string[], consequence: string): Alternative {
  const assignment = new RegExp(`^\\s*(?:${settings.join('|')})\\s*=`)
  const isSet = (statement: string) => assignmentsOf(statement).some((each) => assignment.test(each))
  return {
    concerns: isSet,
    isRefusal: (refusal) =>
      hasCodeOf(settingCodes)(refusal) && settings.some((setting) => messageOf(refusal).includes(setting)),
    instead: (statement) => {
      const left = assignmentsOf(statement).filter((each) => !assignment.test(each))
      return [statement.replace(settingsClause, left.length > 0 ? ` settings ${left.join(', ')}` : '')]
    },
    consequence,
  }
}

/** The last clause of a statement of ours. */
const settingsClause = /\s+settings\s+((?:\w+\s*=\s*(?:'[^']*'|\w+)\s*,?\s*)+)$/i

const assignmentsOf = (statement: string): string[] =>
  settingsClause
    .exec(statement)?.[1]
    ?.split(',')
    .map((each) => each.trim()) ?? []

function hasCodeOf(codes: ReadonlySet<string>): (refusal: EngineError) => boolean {
  return ({ code }) => code !== undefined && codes.has(code)
}

const messageOf = ({ cause, message }: EngineError): string =>
  cause instanceof Error ? cause.message : message

const unfinished = (table: string): string => `\`${table.replaceAll('`', '')}_unfinished\``

/**
 * Returns the settings that the table of events had to be made without: its definition remembers it over restarts, for
 * other fronts and for the doctor. Tables in an object storage have no use for fsync.
 */
export async function refusedAtCreation(client: Pick<EngineClient, 'query'>): Promise<AlternativeName[]> {
  const [table] = await client.query<{ engine: string; definition: string }>(
    sql`
      select engine, create_table_query as definition
      from system.tables
      where database = currentDatabase() and name = 'events'`,
    { lane: 'ingest' },
  )
  if (!table) return []
  const isMissing = (setting: string) => !table.definition.includes(`${setting} = 1`)
  const isShared = table.engine.startsWith('Shared')
  return [
    ...(isMissing('fsync_after_insert') && !isShared ? (['fsync'] as const) : []),
    ...(isMissing('enable_block_number_column') ? (['block-numbers'] as const) : []),
  ]
}

/** Describes what is done without. */
export const consequencesOf = (refused: readonly AlternativeName[]): string[] =>
  refused.map((name) => alternatives[name].consequence)

/** Knows what one server has refused, and rewrites the statements that need it. */
export class Refusals {
  readonly #refused = new Set<AlternativeName>()

  constructor(private readonly onRefusal: (consequence: string) => void = () => {}) {}

  /** The sentences about everything that is done without. */
  get consequences(): string[] {
    return consequencesOf(names.filter((name) => this.#refused.has(name)))
  }

  note(name: AlternativeName): void {
    if (this.#refused.has(name)) return
    this.#refused.add(name)
    this.onRefusal(alternatives[name].consequence)
  }

  /** Sends a statement, or those in its place if the server refuses it now or has refused its kind before. */
  async send(statement: string, send: (statement: string) => Promise<void>): Promise<void> {
    const known = names.find((name) => this.#refused.has(name) && alternatives[name].concerns(statement))
    if (known) {
      for (const each of alternatives[known].instead(statement)) await this.send(each, send)
      return
    }
    try {
      await send(statement)
    } catch (problem) {
      if (!(problem instanceof EngineError)) throw problem
      const refused = names.find(
        (name) => alternatives[name].concerns(statement) && alternatives[name].isRefusal(problem),
      )
      if (!refused) throw problem
      this.note(refused)
      await this.send(statement, send)
    }
  }
}
