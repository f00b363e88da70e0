import {
  CamelCasePlugin,
  type ColumnType,
  type Kysely,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type PrimitiveValueListNode,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
  type ValueNode,
} from 'kysely'
import type { Store } from './store'

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
  const plugins = [new CamelCasePlugin(), new ValuesPlugin(new Set(json), new Set(instants))]
  return (store: Pick<Store, 'tables'>): Kysely<Tables> =>
    plugins.reduce((handle, plugin) => handle.withPlugin(plugin), store.tables<Tables>())
}

/** An entity as a whole row: what it lacks is null. */
export function rowOf<Entity extends object, Name extends keyof Entity>(
  names: readonly Name[],
  entity: Entity,
) {
  const values = names.map((name) => [name, entity[name] ?? null])
  // each value under its own name
  return Object.fromEntries(values) as {
    [Column in Name]: undefined extends Entity[Column]
      ? Exclude<Entity[Column], undefined> | null
      : Entity[Column]
  }
}

class ValuesPlugin implements KyselyPlugin {
  private readonly writing = new StoredValues()

  constructor(
    private readonly json: ReadonlySet<string>,
    private readonly instants: ReadonlySet<string>,
  ) {}

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.writing.transformNode(node, queryId)
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return { ...result, rows: result.rows.map((row) => this.read(row)) }
  }

  private read(row: UnknownRow): UnknownRow {
    for (const [name, value] of Object.entries(row)) row[name] = this.valueOf(name, value)
    return row
  }

  private valueOf(name: string, value: unknown): unknown {
    if (value === null) return undefined
    if (typeof value === 'string') {
      if (this.json.has(name)) return JSON.parse(value)
      return this.instants.has(name) || isInstant(name) ? new Date(value) : value
    }
    return isBoolean(name) ? Boolean(value) : value
  }
}

const isInstant = (name: string): boolean => /^(?:at|since|until)$|(?:At|Since|Until)$/.test(name)
const isBoolean = (name: string): boolean => /^(?:is|has|may|needs|allows)[A-Z]/.test(name)

/** Replaces the values of a statement by what the databases store. */
class StoredValues extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return { ...node, value: storedValue(node.value) }
  }

  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): PrimitiveValueListNode {
    return { ...node, values: node.values.map(storedValue) }
  }
}

function storedValue(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
    ? JSON.stringify(value)
    : value
}
