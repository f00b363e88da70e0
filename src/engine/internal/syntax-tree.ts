/** One node of the tree that `explain ast` prints. The engine does not print its position in the text. */
export interface SyntaxNode {
  depth: number
  type: string
  /** The text after the type: the name of a function, table or column, or a literal as the engine formats it. */
  name: string
  parent: SyntaxNode | undefined
  children: SyntaxNode[]
}

/** Returns every node in the order of the lines, each linked to its parent and children. */
export function syntaxNodesIn(lines: readonly string[]): SyntaxNode[] {
  const path: SyntaxNode[] = []
  return lines.filter(Boolean).map((line) => {
    const node = nodeIn(line)
    path.length = Math.min(path.length, node.depth)
    node.parent = path.at(-1)
    node.parent?.children.push(node)
    path.push(node)
    return node
  })
}

function nodeIn(line: string): SyntaxNode {
  const content = line.trimStart()
  const type = /^[\w:]*/.exec(content)?.[0] ?? ''
  const rest = content
    .slice(type.length)
    .replace(/ \(children \d+\)$/, '')
    .trim()
  // a text literal may itself contain "(alias", so the alias is what follows the closing quote
  const name = type === 'Literal' ? rest : rest.replace(/ \(alias .*\)$/, '')
  return { depth: line.length - content.length, type, name, parent: undefined, children: [] }
}

/** The arguments of a function, without the parameters of a parametric aggregate function. */
export const argumentsOf = ({ children: [list] }: SyntaxNode): readonly SyntaxNode[] =>
  list?.type === 'ExpressionList' ? list.children : []

/** The text of a literal; undefined for any other node. */
export function textOf({ type, name }: SyntaxNode): string | undefined {
  if (type !== 'Literal') return undefined
  const quoted = /^'((?:[^'\\]|\\.)*)'(?: \(alias .*\))?$/.exec(name)?.[1]
  return quoted?.replaceAll(/\\(.)/g, (_, escaped: string) => escapes[escaped] ?? escaped)
}

const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', 0: '\0' }
