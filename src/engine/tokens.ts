/** A piece of a statement as the user wrote it. */
export interface Token {
  kind: 'word' | 'quoted-name' | 'text' | 'space' | 'sign'
  text: string
  /** The offset in UTF-16 units. */
  at: number
}

/** The patterns in the engine's own order: quotes and comments before other tokens. */
const tokenPatterns = [
  ['space', /\s+|--[^\n]*|#[ !][^\n]*/y],
  ['text', /'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)/y],
  ['quoted-name', /`(?:[^`\\]|\\[\s\S]|``)*(?:`|$)|"(?:[^"\\]|\\[\s\S]|"")*(?:"|$)/y],
  ['word', /[A-Za-z_]\w*|\d[\w.]*/y],
  ['sign', /[\s\S]/uy],
] as const

/** Splits a statement into tokens, with nothing left out. The engine's parser checks the syntax. */
export function tokensOf(statement: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < statement.length) {
    const token = tokenAt(statement, at)
    tokens.push(token)
    at += token.text.length
  }
  return tokens
}

function tokenAt(statement: string, at: number): Token {
  if (statement.startsWith('/*', at))
    return { kind: 'space', text: statement.slice(at, endOfComment(statement, at)), at }
  for (const [kind, pattern] of tokenPatterns) {
    pattern.lastIndex = at
    const [text] = pattern.exec(statement) ?? []
    if (text) return { kind, text, at }
  }
  return { kind: 'sign', text: statement.charAt(at), at }
}

/** Comments nest: the engine ends one only after every inner comment is closed. */
function endOfComment(statement: string, begin: number): number {
  let depth = 0
  const marks = /\/\*|\*\//g
  marks.lastIndex = begin
  for (let found = marks.exec(statement); found; found = marks.exec(statement)) {
    depth += found[0] === '/*' ? 1 : -1
    if (depth === 0) return marks.lastIndex
  }
  return statement.length
}
