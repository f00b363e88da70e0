/**
 * A parser for the types and columns that the engine reads from text arguments. It accepts plain types only. Everything
 * else that the engine's parser accepts there (defaults, aliases, codecs, states of aggregate functions, settings of a
 * type) is not in its grammar and is refused.
 */

/** Whether the text is a single type, such as `Nullable(UInt8)`. */
export const isPlainType = (text: string): boolean => {
  const reader = new TypeReader(text)
  return reader.readType() && reader.isAtEnd
}

/** Whether the text is a list of columns with plain types, such as `name String, age UInt8`. */
export const isPlainColumns = (text: string): boolean => {
  const reader = new TypeReader(text)
  return reader.readList(() => reader.readName() && reader.readType()) && reader.isAtEnd
}

/** The possible contents of a type's brackets. */
type Brackets = 'types' | 'elements' | 'choices' | 'numbers' | 'nothing'

const bracketsOf: Record<string, Brackets> = {
  ...kind('types', 'Array Nullable LowCardinality Map Variant'),
  ...kind('elements', 'Tuple Nested'),
  ...kind('choices', 'Enum Enum8 Enum16'),
  ...kind(
    'numbers',
    'FixedString String Decimal Decimal32 Decimal64 Decimal128 Decimal256 DEC DECIMAL NUMERIC FIXED',
  ),
  ...kind('numbers', 'CHAR VARCHAR TEXT DateTime DateTime32 DateTime64 Time64 TIMESTAMP'),
  ...kind('nothing', 'UInt8 UInt16 UInt32 UInt64 UInt128 UInt256 Int8 Int16 Int32 Int64 Int128 Int256'),
  ...kind(
    'nothing',
    'Float32 Float64 BFloat16 Bool Boolean Date Date32 Time UUID IPv4 IPv6 Nothing Dynamic JSON',
  ),
  ...kind('nothing', 'TINYINT SMALLINT INT INTEGER BIGINT FLOAT DOUBLE REAL BLOB'),
  ...kind('nothing', 'Point Ring LineString MultiLineString Polygon MultiPolygon'),
  ...kind('nothing', 'IntervalSecond IntervalMinute IntervalHour IntervalDay IntervalWeek IntervalMonth'),
  ...kind(
    'nothing',
    'IntervalQuarter IntervalYear IntervalMillisecond IntervalMicrosecond IntervalNanosecond',
  ),
}

function kind(brackets: Brackets, names: string): Record<string, Brackets> {
  return Object.fromEntries(names.split(' ').map((name) => [name.toLowerCase(), brackets]))
}

const mostDepth = 20

class TypeReader {
  private at = 0
  private depth = 0
  private readonly readers = {
    types: () => this.readType(),
    elements: () => this.readElement(),
    choices: () => this.take(/\s*('[^'\\]*'(?:\s*=\s*-?\d+)?)/y) !== undefined,
    numbers: () => this.take(/\s*(\d+|'[\w+/-]*')/y) !== undefined,
  }

  constructor(private readonly text: string) {}

  get isAtEnd(): boolean {
    return this.take(/\s*/y) !== undefined && this.at === this.text.length
  }

  readType(): boolean {
    const brackets = bracketsOf[this.take(/\s*(\w+)/y)?.toLowerCase() ?? '']
    if (!brackets || this.depth >= mostDepth) return false
    if (this.take(/\s*(\()/y) === undefined) return true
    this.depth += 1
    const isWhole = this.readBrackets(brackets) && this.take(/\s*(\))/y) !== undefined
    this.depth -= 1
    return isWhole
  }

  readName(): boolean {
    return this.take(/\s*([A-Za-z_]\w*|`[^`\\\p{Cc}]+`|"[^"\\\p{Cc}]+")/uy) !== undefined
  }

  readList(readOne: () => boolean): boolean {
    do if (!readOne()) return false
    while (this.take(/\s*(,)/y) !== undefined)
    return true
  }

  private readBrackets(brackets: Brackets): boolean {
    return brackets !== 'nothing' && this.readList(this.readers[brackets])
  }

  /** Reads a type, with or without a name before it. */
  private readElement(): boolean {
    const begin = this.at
    if (this.readType() && /^\s*[,)]/.test(this.text.slice(this.at))) return true
    this.at = begin
    return this.readName() && this.readType()
  }

  /** Consumes what the pattern matches here; consumes nothing otherwise. */
  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (found) this.at = pattern.lastIndex
    return found ? (found[1] ?? found[0]) : undefined
  }
}
