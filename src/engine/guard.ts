import { isViewName, viewNames } from './project-views'
import { type Token, tokensOf } from './tokens'

/** What the engine knows, as far as it decides on what somebody wrote. */
export interface Surroundings {
  functions: ReadonlyMap<string, KnownFunction>
  /** Names that lead out of the project: databases, and tables beside the views. */
  databases: ReadonlySet<string>
  otherTables: ReadonlySet<string>
}

export interface KnownFunction {
  isAggregate: boolean
  category: string
}

const mostCharacters = 20_000
const mostMadeUpRows = 10_000_000

/**
 * Why a statement is refused, in a sentence; nothing when it may be asked. It goes by the tree that the engine's own
 * parser makes, and by lists of what is allowed: what a newer engine brings along is refused until somebody adds it.
 */
export function refusalOf(
  text: string,
  tree: readonly string[],
  surroundings: Surroundings,
): string | undefined {
  return refusalOfText(text) ?? refusalOfTree(tree, namesMadeIn(tokensOf(text)), surroundings)
}

/** What can be told before any parser has seen it. */
export function refusalOfText(text: string): string | undefined {
  if (text.length > mostCharacters) return `A statement has at most ${mostCharacters} characters.`
  const tokens = tokensOf(text).filter(({ kind }) => kind !== 'space')
  const [first] = tokens
  if (!first) return 'Write a statement, such as: select count() from events'
  if (!beginnings.has(first.text.toLowerCase()))
    return `A statement begins with "select" or "with", not with "${first.text.slice(0, 40)}": here one only asks.`
  if (tokens.some(({ text: sign }, i) => sign === ';' && i < tokens.length - 1))
    return 'Ask one statement at a time: take out what stands after the ";".'
  return tokens.some(isDeceiving)
    ? 'Use letters, digits, spaces and common signs in quoted names: no line breaks, and no backslashes.'
    : undefined
}

const beginnings = new Set(['select', 'with', 'from', '('])

/** A name with a line break in it would read like another line of the tree, others like what the tree says of one. */
const isDeceiving = ({ kind, text }: Token): boolean =>
  kind === 'quoted-name' && (/[\p{Cc}\p{Zl}\p{Zp}\\]/u.test(text) || /\((alias|children) /.test(text))

/** The tree does not say what the parts after `with` are called. */
function namesMadeIn(tokens: readonly Token[]): string[] {
  const told = tokens.filter(({ kind }) => kind !== 'space')
  return told.flatMap((token, i) => {
    const [as, bracket, begin] = told.slice(i + 1, i + 4).map(({ text }) => text.toLowerCase())
    const isMade = as === 'as' && bracket === '(' && beginnings.has(begin ?? '')
    return isMade ? [unquoted(token)] : []
  })
}

const unquoted = ({ kind, text }: Token): string => (kind === 'quoted-name' ? text.slice(1, -1) : text)

/** A line of the tree: how deep it stands, what it is, and what it says. */
interface Node {
  depth: number
  type: string
  name: string
}

function refusalOfTree(
  tree: readonly string[],
  made: readonly string[],
  surroundings: Surroundings,
): string | undefined {
  const taken = made.find((name) => isViewName(name) || surroundings.otherTables.has(name))
  if (taken !== undefined) return `Call "${taken}" after "with" something else: a table has that name.`
  const nodes = tree.filter(Boolean).map(nodeIn)
  const seen: Seen = { made: new Set(made), surroundings }
  const above: Node[] = []
  for (const [i, node] of nodes.entries()) {
    above.length = node.depth
    const refusal = refusalOfNode(node, above, nodes.slice(i + 1), seen)
    if (refusal) return refusal
    above[node.depth] = node
  }
  return undefined
}

interface Seen {
  made: ReadonlySet<string>
  surroundings: Surroundings
}

function nodeIn(line: string): Node {
  const told = line.trimStart()
  const type = /^[\w:]*/.exec(told)?.[0] ?? ''
  const rest = told.slice(type.length).replace(/ \(children \d+\)$/, '')
  return { depth: line.length - told.length, type, name: rest.trim().replace(/ \(alias .*\)$/, '') }
}

function refusalOfNode(
  node: Node,
  above: readonly Node[],
  after: readonly Node[],
  seen: Seen,
): string | undefined {
  if (node.depth === 0 && node.type !== 'SelectWithUnionQuery') return 'Here one only asks: write a "select".'
  if (node.depth === 1 && node.type !== 'ExpressionList') return withoutEnding
  if (!nodesAllowed.has(node.type))
    return nodesInWords[node.type] ?? `This part of the language is not available here (${node.type}).`
  if (node.type === 'Function' && above.at(-1)?.type === 'TableExpression')
    return refusalOfSource(node, after)
  return refusalOfNamed(node, seen)
}

function refusalOfNamed({ type, name }: Node, { made, surroundings }: Seen): string | undefined {
  if (type === 'Function') return refusalOfFunction(name, surroundings.functions)
  if (type === 'TableIdentifier') return refusalOfTable(name, made)
  if (type === 'Identifier') return refusalOfName(name, surroundings, made)
  return type === 'Literal' && name.includes('AggregateFunction') ? states : undefined
}

const withoutEnding =
  'Take out FORMAT, INTO OUTFILE and SETTINGS: the answer comes as a table, and its limits are set.'

const states = 'States of aggregate functions cannot be written here. Aggregate the rows themselves.'

/** Parts of a `select` that cannot do more than read what stands in it. */
const nodesAllowed = new Set([
  'SelectWithUnionQuery',
  'SelectIntersectExceptQuery',
  'SelectQuery',
  'ExpressionList',
  'Function',
  'Identifier',
  'Literal',
  'Asterisk',
  'QualifiedAsterisk',
  'ColumnsExceptTransformer',
  'ColumnsTransformerList',
  'ColumnsRegexpMatcher',
  'ColumnsListMatcher',
  'TablesInSelectQuery',
  'TablesInSelectQueryElement',
  'TableExpression',
  'TableJoin',
  'TableIdentifier',
  'ArrayJoin',
  'Subquery',
  'WithElement',
  'OrderByElement',
  'InterpolateElement',
  'WindowDefinition',
  'WindowListElement',
])

const nodesInWords: Record<string, string> = {
  Set: withoutEnding,
  ColumnsApplyTransformer: 'Write the function for each column: APPLY is not available here.',
  ColumnsReplaceTransformer: 'Write the columns one by one: REPLACE is not available here.',
  SampleRatio: 'Take out SAMPLE: every row is read here.',
  QueryParameter: 'Only {{from}} and {{until}} can stand for a value that is given later.',
}

/** Rows that are made up. Whatever else stands in brackets after `from` reads from outside of the project. */
const sources = ['numbers', 'generate_series', 'generateSeries', 'values', 'VALUES']

function refusalOfSource({ name, depth }: Node, after: readonly Node[]): string | undefined {
  if (!sources.includes(name))
    return `"${name}(…)" cannot stand after "from" here: it reads from elsewhere. Read ${list(viewNames)}.`
  if (name.toLowerCase() === 'values') return undefined
  const below = after
    .slice(
      0,
      firstIndex(after, (node) => node.depth <= depth),
    )
    .slice(1)
  const counts = below.map((node) => /^U?Int64_(-?\d+)$/.exec(node.name)?.[1])
  const isBounded = counts.every((count) => count !== undefined && Math.abs(Number(count)) <= mostMadeUpRows)
  return counts.length > 0 && isBounded
    ? undefined
    : `Write plain numbers up to ${mostMadeUpRows} in "${name}(…)": it would make up rows without end.`
}

function firstIndex<T>(all: readonly T[], is: (one: T) => boolean): number {
  const found = all.findIndex(is)
  return found < 0 ? all.length : found
}

function refusalOfTable(name: string, made: ReadonlySet<string>): string | undefined {
  if (isViewName(name) || made.has(name)) return undefined
  if (name.includes('.'))
    return `"${name}" is not yours to read: there are ${list(viewNames)}, without anything before.`
  return `There is no table "${name}" here. There are ${list(viewNames)}.`
}

/** After `in`, a name can be a table's as well. */
function refusalOfName(
  name: string,
  { databases, otherTables }: Surroundings,
  made: ReadonlySet<string>,
): string | undefined {
  const [first = ''] = name.split('.')
  if (otherTables.has(name) && !made.has(name)) return `There is no column "${name}" here.`
  return name.includes('.') && databases.has(first)
    ? `"${name}" names a database. Write the column alone, or after the name of its table.`
    : undefined
}

function refusalOfFunction(name: string, functions: ReadonlyMap<string, KnownFunction>): string | undefined {
  if (isAllowed(name, functions)) return undefined
  const instead = insteadOf.find(([pattern]) => pattern.test(name))?.[1]
  if (instead) return `The function "${name}" is not available here: ${instead}.`
  const isKnown = functions.has(name) || functions.has(name.toLowerCase())
  return isKnown ? `The function "${name}" is not available here.` : `There is no function "${name}".`
}

function isAllowed(name: string, functions: ReadonlyMap<string, KnownFunction>): boolean {
  if (denied.test(name)) return false
  if (allowedByName.has(name)) return true
  const known = functions.get(name) ?? functions.get(name.toLowerCase())
  if (known) return known.isAggregate || categories.has(known.category)
  const base = functions.get(name.replace(combinators, ''))
  return base?.isAggregate === true
}

/** `sumIf`, `uniqArray` and the like; not those that hand states around, which can be forged. */
const combinators = /(If|Array|Map|Distinct|OrDefault|OrNull|Resample|ForEach|ArgMin|ArgMax)+$/

/** Kinds of functions that only compute. */
const categories = new Set([
  'Arithmetic',
  'Arrays',
  'Bit',
  'Bitmap',
  'Comparison',
  'Conditional',
  'Dates and Times',
  'Distance',
  'Encoding',
  'Financial',
  'Geo',
  'Geo Polygon',
  'Hash',
  'IP Address',
  'JSON',
  'Logical',
  'Map',
  'Mathematical',
  'Null',
  'Random Number',
  'Rounding',
  'String',
  'String Replacement',
  'String Search',
  'String Splitting',
  'Time Window',
  'Tuple',
  'Type Conversion',
  'URL',
  'UUID',
])

/** Out of the category of all others, and what the parser itself puts in. */
const allowedByName = new Set([
  '_CAST',
  'caseWithExpression',
  'lambda',
  'exists',
  'grouping',
  'countDistinct',
  'bar',
  'byteSize',
  'digits',
  'countDigits',
  'formatReadableDecimalSize',
  'formatReadableQuantity',
  'formatReadableSize',
  'formatReadableTimeDelta',
  'identity',
  'materialize',
  'neighbor',
  'parseReadableSize',
  'parseTimeDelta',
  'rowNumberInAllBlocks',
  'runningDifference',
  'toTypeName',
  'transform',
])

/** Whatever category it is said to be of, and whatever stands behind its name. */
const denied =
  /^(file|url$|dict(Get|Has|Is)|joinGet|merge|mergeTree|remote|cluster|input|sleep|throw|aggThrow|get(Setting|Server|Macro|OS|MergeTree|Client|Max)|hasColumnInTable|chdb|serverTimezone|formatRow|formatQuery|showCertificate|flameGraph|stochastic|evalML|naiveBayes|ai[A-Z]|catboost|initializeAggregation|finalizeAggregation|runningAccumulate|numericIndexedVector|arrayReduce)/i

const insteadOf: readonly (readonly [RegExp, string])[] = [
  [/^(file|url$|remote|cluster|merge|dict|joinGet|input)/i, 'it reads from outside of the project'],
  [/^(sleep|throw)/i, 'it only holds things up'],
  [/(State|Merge)$/, 'aggregate the rows themselves'],
]

const list = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
