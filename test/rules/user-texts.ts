import { parseAst } from 'vitest/node'
import { everyNode, isObject } from './source-files'

export type Program = ReturnType<typeof programOf>

export function programOf(path: string, text: string) {
  return parseAst(text, { lang: path.endsWith('.tsx') ? 'tsx' : 'ts' }, path)
}

/** Strings and texts between tags, on one line each: what a user, an operator or an API client may read. */
export function textsIn(program: Program): string[] {
  const texts: string[] = []
  for (const node of everyNode(program)) {
    if (node.type === 'Literal' || node.type === 'JSXText') texts.push(String(node['value']))
    const { value } = node
    if (node.type === 'TemplateElement' && isObject(value)) texts.push(String(value['cooked']))
  }
  return texts.map((text) => text.replace(/\s+/g, ' ').trim()).filter((text) => /\p{L}/u.test(text))
}
