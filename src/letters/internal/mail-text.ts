import type { Element, ElementContent, Nodes } from 'hast'

/** Renders the tree of a letter as plain text: a paragraph for each block, and the address behind each link. */
export function mailText(nodes: readonly ElementContent[]): string {
  return blocksOf(nodes)
    .join('\n\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

const blockNames = new Set(
  'p div h1 h2 h3 h4 h5 h6 ul ol li blockquote pre table thead tbody tr hr'.split(' '),
)

const isBlock = (node: Nodes): node is Element => node.type === 'element' && blockNames.has(node.tagName)

/** Text beside blocks is a paragraph of its own. */
function blocksOf(nodes: readonly ElementContent[]): string[] {
  const blocks: string[] = []
  let line = ''
  const endLine = () => {
    if (line.trim() !== '') blocks.push(line.trim())
    line = ''
  }
  for (const node of nodes) {
    if (isBlock(node)) {
      endLine()
      blocks.push(...blockText(node))
    } else line += inlineText(node)
  }
  endLine()
  return blocks
}

function blockText(node: Element): string[] {
  const { tagName, children } = node
  if (/^h\d$/.test(tagName)) return [`## ${inlineTexts(children).trim()}`]
  if (tagName === 'pre') return [indented(inlineTexts(children), '    ')]
  if (tagName === 'hr') return ['---']
  if (tagName === 'blockquote') return [indented(blocksOf(children).join('\n\n'), '> ')]
  if (tagName === 'ul' || tagName === 'ol') return [listText(node)]
  if (tagName === 'table') return [tableText(node)]
  return blocksOf(children)
}

function listText({ tagName, children }: Element): string {
  const items = children.filter((child): child is Element => child.type === 'element')
  return items
    .map((item, index) => {
      const mark = tagName === 'ol' ? `${index + 1}. ` : '- '
      return mark + indented(blocksOf(item.children).join('\n'), ' '.repeat(mark.length)).trimStart()
    })
    .join('\n')
}

function tableText(table: Element): string {
  const rows: string[] = []
  const visit = (node: ElementContent): void => {
    if (node.type !== 'element') return
    if (node.tagName === 'tr') {
      const cells = node.children.filter((cell): cell is Element => cell.type === 'element')
      rows.push(cells.map((cell) => inlineTexts(cell.children).trim()).join(' | '))
    } else for (const child of node.children) visit(child)
  }
  visit(table)
  return rows.join('\n')
}

const inlineTexts = (nodes: readonly ElementContent[]): string => nodes.map(inlineText).join('')

function inlineText(node: ElementContent): string {
  if (node.type === 'text') return node.value
  if (node.type !== 'element') return ''
  const { tagName, properties, children } = node
  if (tagName === 'br') return '\n'
  if (tagName === 'img') return properties['alt'] ? `[${properties['alt']}]` : ''
  const held = inlineTexts(children)
  return tagName === 'a' ? `${held} (${String(properties['href'])})` : held
}

const indented = (text: string, mark: string): string =>
  text
    .split('\n')
    .map((line) => `${mark}${line}`.trimEnd())
    .join('\n')
