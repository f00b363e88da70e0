import { isPlainColumns, isPlainType } from './internal/column-types'
import { isViewName, viewNames } from './project-views'
import { reviewedFunctions } from './internal/reviewed-functions'
import { argumentsOf, type SyntaxNode, syntaxNodesIn, textOf } from './internal/syntax-tree'
import { type Token, tokensOf } from './tokens'

/** The functions and databases of the engine, with which the guard checks a statement. */
export interface EngineCatalog {
  functions: ReadonlyMap<string, KnownFunction>
  /** Names outside the project: databases, and tables besides the views. */
  databases: ReadonlySet<string>
  otherTables: ReadonlySet<string>
}

export interface KnownFunction {
  isAggregate: boolean
  category: string
}

const mostCharacters = 20_000
const maxGeneratedRows = 10_000_000

/**
 * Returns why a statement is refused, in a sentence, or undefined when it may run. The decision is made on the tree of
 * the engine's own parser and on allow lists: new features of an engine are refused until they are added here.
 */
export function refusalOf(text: string, tree: readonly string[], catalog: EngineCatalog): string | undefined {
  return refusalOfText(text) ?? refusalOfTree(tree, significantTokensIn(text), catalog)
}

/** Checks the text before the engine parses it. */
export function refusalOfText(text: string): string | undefined {
  if (text.length > mostCharacters) return `A statement has at most ${mostCharacters} characters.`
  const tokens = significantTokensIn(text)
  const [first] = tokens
  if (!first) return 'Write a query, such as: select count() from events'
  if (!statementStarts.has(first.text.toLowerCase()))
    return `A statement begins with "select" or "with", not with "${first.text.slice(0, 40)}": here one only asks.`
  if (tokens.some(({ text: sign }, i) => sign === ';' && i < tokens.length - 1))
    return 'Ask one statement at a time: take out what stands after the ";".'
  const strange = tokens.find(({ kind, text: sign }) => kind === 'sign' && /[^\x20-\x7e]/.test(sign))
  if (strange) return `"${strange.text}" cannot stand outside of quotes. Quote with ' and ".`
  return tokens.some(isAmbiguousName)
    ? 'Use letters, digits, spaces and common signs in quoted names: no line breaks, and no backslashes.'
    : undefined
}

const significantTokensIn = (text: string): Token[] => tokensOf(text).filter(({ kind }) => kind !== 'space')

const statementStarts = new Set(['select', 'with', 'from', '('])

/** A name with a line break looks like another line of the tree; other names look like the tree's own annotations. */
const isAmbiguousName = ({ kind, text }: Token): boolean =>
  kind === 'quoted-name' && (/[\p{Cc}\p{Zl}\p{Zp}\\]/u.test(text) || /\((alias|children) /.test(text))

/** A common table expression, and the part of the text in which its name is known. */
interface CommonTable {
  name: string
  /** The range in tokens: from its definition to the enclosing bracket. */
  from: number
  until: number
}

/** Finds the names of common table expressions, which the tree does not contain. */
function commonTablesIn(tokens: readonly Token[]): CommonTable[] {
  return tokens.flatMap((token, i) => {
    const [as, bracket, begin] = tokens.slice(i + 1, i + 4).map(({ text }) => text.toLowerCase())
    const isDefined = as === 'as' && bracket === '(' && statementStarts.has(begin ?? '')
    return isDefined ? [{ name: unquoted(token), from: i, until: closingAfter(tokens, i) }] : []
  })
}

function closingAfter(tokens: readonly Token[], begin: number): number {
  let depth = 0
  for (let i = begin; i < tokens.length; i++) {
    if (tokens[i]?.text === '(') depth += 1
    if (tokens[i]?.text === ')') depth -= 1
    if (depth < 0) return i
  }
  return tokens.length
}

const unquoted = ({ kind, text }: Token): string => (kind === 'quoted-name' ? text.slice(1, -1) : text)

function refusalOfCommonTables(
  tokens: readonly Token[],
  tables: readonly CommonTable[],
  catalog: EngineCatalog,
) {
  for (const { name } of tables) {
    if (!/^[\w -]+$/.test(name))
      return `Call "${name}" after "with" something of letters, digits and _ alone.`
    if (isViewName(name) || catalog.otherTables.has(name) || catalog.databases.has(name))
      return `Call "${name}" after "with" something else: a table has that name.`
  }
  const outside = tokens.find(
    (token, i) => isTablePosition(tokens[i - 1]) && isOutOfScope(unquoted(token), i, tables),
  )
  return outside && `"${unquoted(outside)}" is known only within the brackets where it stands after "with".`
}

const isTablePosition = (before: Token | undefined): boolean =>
  before !== undefined && ['from', 'join', 'in', ',', '('].includes(before.text.toLowerCase())

function isOutOfScope(name: string, at: number, tables: readonly CommonTable[]): boolean {
  const named = tables.filter((table) => table.name === name)
  return named.length > 0 && !named.some(({ from, until }) => from <= at && at < until)
}

function refusalOfTree(
  tree: readonly string[],
  tokens: readonly Token[],
  catalog: EngineCatalog,
): string | undefined {
  const tables = commonTablesIn(tokens)
  const tableRefusal = refusalOfCommonTables(tokens, tables, catalog)
  if (tableRefusal) return tableRefusal
  const context: GuardContext = { commonTables: new Set(tables.map(({ name }) => name)), catalog }
  for (const node of syntaxNodesIn(tree)) {
    const refusal = refusalOfNode(node, context)
    if (refusal) return refusal
  }
  return undefined
}

interface GuardContext {
  commonTables: ReadonlySet<string>
  catalog: EngineCatalog
}

function refusalOfNode(node: SyntaxNode, context: GuardContext): string | undefined {
  if (node.depth === 0 && node.type !== 'SelectWithUnionQuery') return 'Here one only asks: write a "select".'
  if (node.depth === 1 && node.type !== 'ExpressionList') return trailingClausesMessage
  if (!nodesAllowed.has(node.type))
    return nodeMessages[node.type] ?? `This part of the language is not available here (${node.type}).`
  if (node.type === 'Function' && node.parent?.type === 'TableExpression')
    return refusalOfSource(node, context)
  return refusalOfNamed(node, context)
}

function refusalOfNamed(node: SyntaxNode, { commonTables, catalog }: GuardContext): string | undefined {
  const { type, name } = node
  if (type === 'Function') return refusalOfFunction(name, catalog.functions) ?? refusalOfTypeIn(node)
  if (type === 'TableIdentifier') return refusalOfTable(name, commonTables)
  if (type === 'Identifier') return refusalOfName(name, catalog, commonTables)
  return type === 'Literal' && name.includes('AggregateFunction') ? aggregateStatesMessage : undefined
}

/** The index of the argument that the engine reads as a type; a negative index counts from the end. */
const typeArguments = new Map([
  ['cast', 1],
  ['_cast', 1],
  ['accuratecast', 1],
  ['accuratecastornull', 1],
  ['accuratecastordefault', 1],
  ['reinterpret', 1],
  ['dynamicelement', 1],
  ['jsonextract', -1],
  ['jsonextractcaseinsensitive', -1],
  ['jsonextractkeysandvalues', -1],
  ['jsonextractkeysandvaluescaseinsensitive', -1],
])

/** Only the engine sees a text that the statement computes, so the type must be a literal. */
function refusalOfTypeIn(node: SyntaxNode): string | undefined {
  const index = typeArguments.get(node.name.toLowerCase())
  const argument = index === undefined ? undefined : argumentsOf(node).at(index)
  if (!argument) return undefined
  const type = textOf(argument)
  if (type === undefined) return `Write the type in "${node.name}(…)" as it is, in quotes.`
  if (type.includes('AggregateFunction')) return aggregateStatesMessage
  return isPlainType(type) ? undefined : `"${type}" cannot be used as a type here.`
}

const trailingClausesMessage =
  'Take out FORMAT, INTO OUTFILE and SETTINGS: the answer comes as a table, and its limits are set.'

const aggregateStatesMessage =
  'States of aggregate functions cannot be written here. Aggregate the rows themselves.'

/** Clauses of a `select` that can only read. */
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

const nodeMessages: Record<string, string> = {
  Set: trailingClausesMessage,
  ColumnsApplyTransformer: 'Write the function for each column: APPLY is not available here.',
  ColumnsReplaceTransformer: 'Write the columns one by one: REPLACE is not available here.',
  SampleRatio: 'Take out SAMPLE: every row is read here.',
  QueryParameter: 'Only {{from}} and {{until}} can stand for a value that is given later.',
}

/** Table functions that generate rows. Other table functions read from outside the project. */
const rowGenerators = ['numbers', 'generate_series', 'generateSeries', 'values', 'VALUES']

function refusalOfSource(node: SyntaxNode, context: GuardContext): string | undefined {
  const { name } = node
  if (!rowGenerators.includes(name))
    return `"${name}(…)" cannot stand after "from" here: it reads from elsewhere. Read ${joinWithAnd(viewNames)}.`
  if (name.toLowerCase() === 'values') return refusalOfValues(node, context)
  const counts = argumentsOf(node).map((argument) => /^U?Int64_(-?\d+)$/.exec(argument.name)?.[1])
  const isBounded = counts.every(
    (count) => count !== undefined && Math.abs(Number(count)) <= maxGeneratedRows,
  )
  return counts.length > 0 && isBounded
    ? undefined
    : `Write plain numbers up to ${maxGeneratedRows} in "${name}(…)": it would make up rows without end.`
}

/** The engine reads a first text argument as columns, with defaults and aliases, which are expressions. */
function refusalOfValues(node: SyntaxNode, context: GuardContext): string | undefined {
  const [first, ...rows] = argumentsOf(node)
  if (!first) return `Write rows in "values(…)".`
  const columns = textOf(first)
  if (columns !== undefined && rows.length > 0 && !isPlainColumns(columns))
    return `Begin "values(…)" with names and plain types, such as 'name String, age UInt8'.`
  const isPlain = [...(columns === undefined ? [first] : []), ...rows].every((row) => isPlainValue(row))
  return isPlain
    ? undefined
    : (refusalWithin(node, context) ?? 'Write numbers, texts and brackets in "values(…)", and nothing else.')
}

const isPlainValue = (node: SyntaxNode): boolean =>
  node.type === 'Literal' ||
  (node.type === 'Function' &&
    ['tuple', 'array'].includes(node.name) &&
    argumentsOf(node).every(isPlainValue))

/** Names the function that causes the refusal. */
const refusalWithin = (node: SyntaxNode, context: GuardContext): string | undefined =>
  node.children
    .flatMap((child) => [refusalOfNode(child, context), refusalWithin(child, context)])
    .find(Boolean)

function refusalOfTable(name: string, commonTables: ReadonlySet<string>): string | undefined {
  if (isViewName(name) || commonTables.has(name)) return undefined
  if (name.includes('.'))
    return `"${name}" is not yours to read: there are ${joinWithAnd(viewNames)}, without anything before.`
  return `There is no table "${name}" here. There are ${joinWithAnd(viewNames)}.`
}

/** Refuses a name that is not allowed. After `in`, a name may also be a table's. */
function refusalOfName(
  name: string,
  { databases, otherTables }: EngineCatalog,
  commonTables: ReadonlySet<string>,
): string | undefined {
  const [first = ''] = name.split('.')
  if (otherTables.has(name) && !commonTables.has(name)) return `There is no column "${name}" here.`
  return name.includes('.') && databases.has(first)
    ? `"${name}" names a database. Write the column alone, or after the name of its table.`
    : undefined
}

function refusalOfFunction(name: string, functions: ReadonlyMap<string, KnownFunction>): string | undefined {
  if (isAllowed(name, functions)) return undefined
  const instead = denialReasons.find(([pattern]) => pattern.test(name))?.[1]
  if (instead) return `The function "${name}" is not available here: ${instead}.`
  const isKnown = functions.has(name) || functions.has(name.toLowerCase())
  return isKnown ? `The function "${name}" is not available here.` : `There is no function "${name}".`
}

function isAllowed(name: string, functions: ReadonlyMap<string, KnownFunction>): boolean {
  if (deniedFunctions.test(name)) return false
  if (allowedByName.has(name)) return true
  const known = functions.get(name) ?? functions.get(name.toLowerCase())
  if (known) return isReviewed(name) && (known.isAggregate || categories.has(known.category))
  const base = name.replace(combinators, '')
  return functions.get(base)?.isAggregate === true && isReviewed(base)
}

const isReviewed = (name: string): boolean => reviewedFunctions.has(name.toLowerCase())

/** `sumIf`, `uniqArray` and the like; not combinators that expose states, which can be forged. */
const combinators = /(If|Array|Map|Distinct|OrDefault|OrNull|Resample|ForEach|ArgMin|ArgMax)+$/

/** Categories of functions that only compute. */
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

/** Functions without a category, and functions that the parser inserts itself. */
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

/** Functions that are denied in any category and with any suffix. */
const deniedFunctions =
  /^(file|url$|dict(Get|Has|Is)|joinGet|merge|mergeTree|remote|cluster|input|sleep|throw|aggThrow|get(Setting|Server|Macro|OS|MergeTree|Client|Max)|hasColumnInTable|chdb|serverTimezone|formatRow|formatQuery|showCertificate|flameGraph|cutToFirstSignificantSubdomainCustom|firstSignificantSubdomainCustom|estimateCompressionRatio|groupFormat|stochastic|evalML|naiveBayes|ai[A-Z]|catboost|initializeAggregation|finalizeAggregation|runningAccumulate|numericIndexedVector|arrayReduce)/i

const denialReasons: readonly (readonly [RegExp, string])[] = [
  [/^(file|url$|remote|cluster|merge|dict|joinGet|input)/i, 'it reads from outside of the project'],
  [/^(sleep|throw)/i, 'it only holds things up'],
  [/(State|Merge)$/, 'aggregate the rows themselves'],
]

const joinWithAnd = (names: readonly string[]): string =>
  `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
