import type { Element, ElementContent, Nodes, Properties, Root } from 'hast'

/** The site, post and links of a letter's body. */
export interface MailTreeOptions {
  /** The origin of the site, for addresses of pictures and links. */
  origin: string
  /** The address of the post, for what works on the site only. */
  postAddress: string
  /** The text of links to it. */
  seeOnline: string
  accent: string
  /** Replaces the address of each link. */
  linkTo: (address: string) => string
}

/**
 * Makes of a post's tree what mail programs show: inline styles, no classes, absolute addresses. Blocks that depend on
 * the reader and players become links to the post.
 */
export function mailTree(tree: Root, options: MailTreeOptions): ElementContent[] {
  return tree.children.flatMap((child) => mailNode(child as ElementContent, options))
}

const isElement = (node: Nodes, ...names: readonly string[]): node is Element =>
  node.type === 'element' && (names.length === 0 || names.includes(node.tagName))

function mailNode(node: ElementContent, options: MailTreeOptions): ElementContent[] {
  if (node.type === 'text') return [{ type: 'text', value: node.value.replaceAll(linkMark, '') }]
  if (!isElement(node)) return []
  const { tagName, properties } = node
  if (properties['dataBlock'] !== undefined) return [onlineLink(options)]
  if (properties['dataFootnoteBackref'] !== undefined) return []
  const render = renderers[tagName]
  if (render) return render(node, options)
  const children = node.children.flatMap((child) => mailNode(child, options))
  if (tagName === 'span') return children
  return [styled(renamed[tagName] ?? tagName, children, stylesOf(node, options))]
}

const hasClass = ({ properties: { className } }: Element, name: string): boolean =>
  Array.isArray(className) && className.includes(name)

const styled = (
  tagName: string,
  children: ElementContent[],
  style: string | undefined,
  properties: Properties = {},
): Element => ({
  type: 'element',
  tagName,
  properties: style === undefined ? properties : { ...properties, style },
  children,
})

const text = (value: string): ElementContent => ({ type: 'text', value })

const onlineLink = (options: MailTreeOptions): Element =>
  styled('p', [anchor(options.postAddress, [text(options.seeOnline)], options)], paragraphStyle)

const anchor = (address: string, children: ElementContent[], options: MailTreeOptions): Element =>
  styled('a', children, `color:${options.accent}`, { href: options.linkTo(address) })

type ElementRenderer = (node: Element, options: MailTreeOptions) => ElementContent[]

const children = (node: Element, options: MailTreeOptions): ElementContent[] =>
  node.children.flatMap((child) => mailNode(child, options))

const renderers: Readonly<Record<string, ElementRenderer>> = {
  a: (node, options) => {
    const { href } = node.properties
    const held = children(node, options)
    // players need a script, and places within the text an id
    if (typeof href !== 'string' || href.startsWith('#')) return held
    const address = URL.parse(href, `${options.origin}/`)?.href
    const isEmbed = node.properties['dataEmbed'] !== undefined
    const label = isEmbed
      ? [
          text(
            words(node)
              .filter((word) => word.trim() !== '')
              .join(' · '),
          ),
        ]
      : held
    return address === undefined ? held : [anchor(address, label, options)]
  },
  img: ({ properties: { src, alt, width, height } }, options) => {
    const address = typeof src === 'string' ? URL.parse(src, `${options.origin}/`)?.href : undefined
    if (address === undefined || /\.svg(?:[?#]|$)/i.test(address)) return [onlineLink(options)]
    const size = sizeWithin(Number(width), Number(height))
    const style = 'display:block;max-width:100%;height:auto;border:0;border-radius:6px'
    return [styled('img', [], style, { src: address, alt: typeof alt === 'string' ? alt : '', ...size })]
  },
  input: ({ properties: { checked } }) => [text(checked ? '☑ ' : '☐ ')],
  pre: (node) => [
    styled(
      'pre',
      [text(words(node).join(''))],
      `margin:0 0 16px;padding:12px 14px;background:#f4f6f5;border-radius:6px;font-size:13px;line-height:20px;white-space:pre-wrap;${codeFont}`,
    ),
  ],
}

/** The texts in a node, one for each piece. */
function words(node: Nodes): string[] {
  if (node.type === 'text') return [node.value.replaceAll(linkMark, '')]
  return 'children' in node ? node.children.flatMap((child) => words(child)) : []
}

const mostWidth = 544

function sizeWithin(width: number, height: number): Properties {
  if (!(width > 0 && height > 0)) return {}
  const scale = Math.min(1, mostWidth / width)
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}

const renamed: Readonly<Record<string, string>> = {
  figure: 'div',
  figcaption: 'p',
  aside: 'div',
  section: 'div',
  details: 'div',
  summary: 'p',
}

const codeFont = 'font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace'
const paragraphStyle = 'margin:0 0 16px;font-size:16px;line-height:26px'
const cellStyle = 'padding:6px 10px;border:1px solid #dfe4e1;text-align:start;font-size:14px;line-height:20px'

const styles: Readonly<Record<string, string>> = {
  p: paragraphStyle,
  h1: 'margin:28px 0 12px;font-size:24px;line-height:32px',
  h2: 'margin:28px 0 12px;font-size:21px;line-height:28px',
  h3: 'margin:24px 0 8px;font-size:18px;line-height:26px',
  h4: 'margin:20px 0 8px;font-size:16px;line-height:24px',
  h5: 'margin:20px 0 8px;font-size:16px;line-height:24px',
  h6: 'margin:20px 0 8px;font-size:16px;line-height:24px',
  ul: 'margin:0 0 16px;padding:0 0 0 24px',
  ol: 'margin:0 0 16px;padding:0 0 0 24px',
  li: 'margin:0 0 6px;font-size:16px;line-height:26px',
  blockquote: 'margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid #dfe4e1;color:#5c6864',
  code: `font-size:14px;${codeFont}`,
  hr: 'margin:24px 0;border:0;border-top:1px solid #dfe4e1',
  table: 'margin:0 0 16px;border-collapse:collapse',
  th: cellStyle,
  td: cellStyle,
  figure: 'margin:0 0 16px',
  figcaption: 'margin:8px 0 0;font-size:14px;line-height:20px;color:#5c6864',
  aside: 'margin:0 0 16px;padding:12px 16px;background:#f4f6f5;border-radius:6px',
  section: 'margin:24px 0 0;font-size:14px;color:#5c6864',
  details: 'margin:0 0 16px',
  summary: `${paragraphStyle};font-weight:600`,
}

const stylesOf = (node: Element, { accent }: MailTreeOptions): string | undefined =>
  hasClass(node, 'aside') ? `${styles['aside']};border-left:3px solid ${accent}` : styles[node.tagName]

/** Stands around the number of a link in the content of a letter. Texts never contain it. */
export const linkMark = '\u{E000}'
