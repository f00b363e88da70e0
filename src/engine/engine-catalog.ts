import type { Engine } from './engine'
import type { KnownFunction, EngineCatalog } from './guard'
import { isViewName } from './project-views'
import { sql } from './sql'

/** Functions do not change while an engine runs; tables and databases may. */
const functionsByEngine = new WeakMap<object, Promise<EngineCatalog['functions']>>()

export async function readEngineCatalog(engine: Pick<Engine, 'query'>): Promise<EngineCatalog> {
  const [functions, databases, tables] = await Promise.all([
    knownFunctions(engine),
    engine.query<{ name: string }>(sql`select name from system.databases`),
    engine.query<{ name: string }>(sql`select name from system.tables where database = currentDatabase()`),
  ])
  return {
    functions,
    databases: new Set([...builtInDatabases, ...databases.map(({ name }) => name)]),
    otherTables: new Set(tables.map(({ name }) => name).filter((name) => !isViewName(name))),
  }
}

/** Databases of every engine, even if the user cannot see them. */
const builtInDatabases = ['system', 'information_schema', 'INFORMATION_SCHEMA', 'default']

function knownFunctions(engine: Pick<Engine, 'query'>): Promise<EngineCatalog['functions']> {
  const known = functionsByEngine.get(engine) ?? readFunctions(engine)
  functionsByEngine.set(engine, known)
  known.catch(() => functionsByEngine.delete(engine))
  return known
}

async function readFunctions(engine: Pick<Engine, 'query'>): Promise<EngineCatalog['functions']> {
  const rows = await engine.query<{ name: string; is_aggregate: number; category: string }>(sql`
    select
      if(functions.case_insensitive, lower(functions.name), functions.name) as name,
      functions.is_aggregate as is_aggregate,
      if(functions.alias_to = '', toString(functions.categories), toString(originals.categories)) as category
    from system.functions as functions
    left any join system.functions as originals on originals.name = functions.alias_to`)
  return new Map(
    rows.map(({ name, is_aggregate, category }): [string, KnownFunction] => [
      name,
      { isAggregate: is_aggregate === 1, category },
    ]),
  )
}
