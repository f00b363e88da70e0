import { inPortions, joinedBy } from './internal/long-values'

/** A value with its ClickHouse type. It is sent apart from the statement's text. */
export interface BoundValue {
  type: string
  value: unknown
}

/** `Symbol.for`, so that fragments of another copy of this module are accepted, and nothing parsed from JSON is. */
const pieces = Symbol.for('tilth.sql.pieces')

/** A statement or a part of one. Only `sql` and the functions here create it, so it contains no outside text. */
export interface Sql {
  readonly [pieces]: readonly (string | BoundValue)[]
}

/**
 * Composes a statement: `${…}` accepts only fragments and typed values.
 *
 * @example
 * const statement = sql`select count() as views from events where project_id = ${uint(project.id)}`
 * const [row] = await engine.query(statement)
 */
export function sql(text: TemplateStringsArray, ...parts: readonly Sql[]): Sql {
  return { [pieces]: text.flatMap((words, i) => [words, ...(i < parts.length ? piecesOf(parts[i]) : [])]) }
}

sql.join = (parts: readonly Sql[], separator: Sql = sql`, `): Sql => ({
  [pieces]: parts.flatMap((part, i) =>
    i === 0 ? piecesOf(part) : [...piecesOf(separator), ...piecesOf(part)],
  ),
})

/** Returns the text with numbered parameters, and their values. */
export function render(statement: Sql): { text: string; parameters: Record<string, unknown> } {
  const parameters: Record<string, unknown> = {}
  const named = new Map<string, string>()
  let places = 0
  const addParameter = (value: unknown) => {
    const name = `p${places++}`
    parameters[name] = value
    return name
  }
  // equal values share one parameter: the engine accepts a thousand at most, and computes equal expressions once
  const nameOf = (type: string, value: unknown) => {
    const key = `${type} ${String(value)}`
    const name = named.get(key) ?? addParameter(value)
    named.set(key, name)
    return name
  }
  const place = ({ type, value }: BoundValue) =>
    `{${typeof value === 'object' ? addParameter(value) : nameOf(type, value)}:${type}}`
  const bind = (value: BoundValue) => {
    const portions = inPortions(value).map(place)
    return portions.length === 1 ? portions.join('') : `${joinedBy(value.type)}(${portions.join(', ')})`
  }
  const text = piecesOf(statement).map((piece) => (typeof piece === 'string' ? piece : bind(piece)))
  return { text: text.join(''), parameters }
}

function piecesOf(part: Sql | undefined): readonly (string | BoundValue)[] {
  const found = part?.[pieces]
  if (!found)
    throw new TypeError('Not a part of a statement. Give the value a type, as in string(…) or uint(…).')
  return found
}

/** Binds values of one type. */
interface ValueType<T> {
  (value: T): Sql
  readonly type: string
  readonly prepare: (value: T) => unknown
}

function valueType<T>(type: string, prepare: (value: T) => unknown): ValueType<T> {
  return Object.assign((value: T) => bound(type, prepare(value)), { type, prepare })
}

function bound(type: string, value: unknown): Sql {
  return { [pieces]: [{ type, value }] }
}

const unchanged = <T>(value: T): T => value

/** A value may be any text. A lone surrogate, which UTF-8 cannot encode, arrives as U+FFFD. */
export const string = valueType<string>('String', unchanged)
export const bool = valueType<boolean>('Bool', unchanged)
export const float = valueType<number>('Float64', unchanged)
export const int = valueType<number | bigint>('Int64', (value) => whole(value, -(2n ** 63n), 2n ** 63n - 1n))
export const uint = valueType<number | bigint>('UInt64', (value) => whole(value, 0n, 2n ** 64n - 1n))
export const uuid = valueType<string>('UUID', hyphenated)
/** A day of the calendar, written 2026-11-21. */
export const date = valueType<string>('Date', calendarDay)
/** An instant, to the millisecond. */
export const dateTime = valueType<Date>("DateTime64(3, 'UTC')", asUtc)

export const strings = valueType<readonly string[]>('Array(String)', unchanged)
export const uuids = valueType<readonly string[]>('Array(UUID)', (values) => values.map(hyphenated))
export const uints = valueType<readonly (number | bigint)[]>('Array(UInt64)', (values) =>
  values.map((value) => whole(value, 0n, 2n ** 64n - 1n)),
)
export const floats = valueType<readonly number[]>('Array(Float64)', unchanged)

/** A nullable value: `nullable(string, person.email)`. */
export function nullable<T>({ type, prepare }: ValueType<T>, value: T | null): Sql {
  return bound(`Nullable(${type})`, value === null ? null : prepare(value))
}

/** A column or table by name. The name must be in the catalogue, so only known names reach a statement. */
export function identifier(name: string, catalogue: Iterable<string>): Sql {
  if (!new Set(catalogue).has(name)) throw new RangeError(`Unknown name in a statement: "${name}".`)
  if (!/^\w+$/.test(name))
    throw new RangeError(`"${name}" cannot be a name in a statement: use letters, digits and _.`)
  return { [pieces]: [`\`${name}\``] }
}

/** A number or a word within the text, for statements that take no parameters: those about users and settings. */
export function literal(value: number | string): Sql {
  if (typeof value === 'number') return { [pieces]: [String(whole(value, 0n, 2n ** 64n - 1n))] }
  if (!/^\w+$/.test(value)) throw new RangeError(`"${value}" cannot be written into a statement: bind it.`)
  return { [pieces]: [`'${value}'`] }
}

function whole(value: number | bigint, least: bigint, most: bigint): bigint {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new RangeError(`${value} is not a whole number.`)
  const exact = BigInt(value)
  if (exact < least || exact > most) throw new RangeError(`${value} is not between ${least} and ${most}.`)
  return exact
}

function hyphenated(value: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) return value
  throw new RangeError(`"${value}" is not a UUID.`)
}

function calendarDay(value: string): string {
  const day = new Date(`${value}T00:00:00Z`)
  // compares the round trip, because Date.parse reads the 31st of February as the 3rd of March
  if (!Number.isNaN(day.getTime()) && day.toISOString().startsWith(`${value}T`)) return value
  throw new RangeError(`"${value}" is not a day. Write it like 2026-11-21.`)
}

function asUtc(moment: Date): string {
  return moment.toISOString().replace('T', ' ').replace('Z', '')
}
