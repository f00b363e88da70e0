import {
  CamelCasePlugin,
  type ColumnType,
  type IdentifierNode,
  type Kysely,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type PrimitiveValueListNode,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
  type ValueNode,
} from 'kysely'
import type { TableSource } from './store'

/** A table whose rows are these entities: what an entity may lack is null in the database. */
export type RowsOf<Entity> = { [Name in keyof Entity]-?: ColumnOf<Entity[Name]> }
type ColumnOf<Value> = undefined extends Value
  ? ColumnType<Value, Exclude<Value, undefined> | null, Exclude<Value, undefined> | null>
  : ColumnType<Value, Value, Value>

interface ColumnKinds<Name> {
  json?: readonly Name[]
  instants?: readonly Name[]
}

type NameOf<Tables> = { [Table in keyof Tables]: keyof Tables[Table] & string }[keyof Tables]

/**
 * Opens a module's tables as the module sees them: names in camel case, null as undefined, instants as dates, yes and no as
 * booleans, and the values of the columns in `json` as objects. By their names, columns like `createdAt`, `since` and
 * `mutedUntil` are instants, as are those in `instants`, and ones like `isOpen` and `hasPerson` are booleans.
 */
export function openTables<Tables>({ json = [], instants = [] }: ColumnKinds<NameOf<Tables>> = {}) {
  const plugin = new RowsPlugin(new Set(json), new Set(instants))
  return (store: TableSource): Kysely<Tables> => store.tables<Tables>().withPlugin(plugin)
}

/** An entity as a whole row: what it lacks is null. */
export function rowOf<Entity extends object, Name extends keyof Entity>(
  names: readonly Name[],
  entity: Entity,
) {
  const row: UnknownRow = {}
  for (const name of names) row[String(name)] = entity[name] ?? null
  // each value under its own name
  return row as {
    [Column in Name]: undefined extends Entity[Column]
      ? Exclude<Entity[Column], undefined> | null
      : Entity[Column]
  }
}

type ColumnKind = 'json' | 'instant' | 'boolean' | 'plain'

interface RowColumn {
  column: string
  name: string
  kind: ColumnKind
}

/** Kysely's camel case together with our values: one pass over each statement, and one over each row. */
class RowsPlugin extends CamelCasePlugin {
  private readonly writing = new StoredStatement((name) => this.snakeCase(name))
  private readonly columns = new Map<string, RowColumn>()

  constructor(
    private readonly json: ReadonlySet<string>,
    private readonly instants: ReadonlySet<string>,
  ) {
    super()
  }

  override transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.writing.transformNode(node, queryId)
  }

  override async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const [first] = result.rows
    if (!first) return result
    const columns = Object.keys(first).map((column) => this.columnNamed(column))
    return { ...result, rows: result.rows.map((row) => readRow(columns, row)) }
  }

  private columnNamed(column: string): RowColumn {
    const known = this.columns.get(column)
    if (known) return known
    const name = this.camelCase(column)
    const added = { column, name, kind: this.kindOf(name) }
    this.columns.set(column, added)
    return added
  }

  private kindOf(name: string): ColumnKind {
    if (this.json.has(name)) return 'json'
    if (this.instants.has(name) || isInstant(name)) return 'instant'
    return isBoolean(name) ? 'boolean' : 'plain'
  }
}

const isInstant = (name: string): boolean => /^(?:at|since|until)$|(?:At|Since|Until)$/.test(name)
const isBoolean = (name: string): boolean => /^(?:is|has|may|needs|allows)[A-Z]/.test(name)

function readRow(columns: readonly RowColumn[], row: UnknownRow): UnknownRow {
  const entity: UnknownRow = {}
  for (const { column, name, kind } of columns) entity[name] = readValue(kind, row[column])
  return entity
}

function readValue(kind: ColumnKind, value: unknown): unknown {
  if (value === null) return undefined
  if (kind === 'plain') return value
  if (kind === 'boolean') return typeof value === 'number' ? value !== 0 : value
  if (typeof value !== 'string') return value
  return kind === 'json' ? JSON.parse(value) : new Date(value)
}

/** Replaces the names and values of a statement by the ones of the databases. */
class StoredStatement extends OperationNodeTransformer {
  constructor(private readonly columnName: (name: string) => string) {
    super()
  }

  protected override transformIdentifier(node: IdentifierNode): IdentifierNode {
    return { ...node, name: this.columnName(node.name) }
  }

  protected override transformValue(node: ValueNode): ValueNode {
    return { ...node, value: storedValue(node.value) }
  }

  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): PrimitiveValueListNode {
    return { ...node, values: node.values.map(storedValue) }
  }
}

function storedValue(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  return value instanceof Date ? value.toISOString() : JSON.stringify(value)
}
