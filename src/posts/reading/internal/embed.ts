import type { Element, ElementContent } from 'hast'
import { type Embed, embedAt } from '../../embeds'
import { attributeText, element, isElement, isNamed, text, textIn, withoutSpace } from './elements'

/** A link that works without scripts; the site's script replaces it with a frame on a click. */
export function renderEmbed(address: string, title: string): Element {
  const embed = embedAt(address, title)
  return embed
    ? embedElement(embed, title === '' ? shortAddress(embed.address) : embed.from)
    : element('p', {}, [element('a', { href: address }, [text(title || address)])])
}

const embedElement = ({ address, player, title, shape }: Embed, source: string): Element =>
  element('p', { className: ['embed', `embed-${shape}`] }, [
    element('a', { href: address, dataEmbed: player }, [
      element('span', { className: ['embed-title'] }, [text(title)]),
      // in feeds the two are text, one after the other
      text(' '),
      element('span', { className: ['embed-from'] }, [text(source)]),
    ]),
  ])

/** Shortens an address to the length of a line, without the protocol. */
function shortAddress(address: string): string {
  const short = address.replace(/^https?:\/\/(?:www\.)?/, '')
  return short.length > maxShortAddress ? `${short.slice(0, maxShortAddress)}…` : short
}

const maxShortAddress = 60

/** A bare address that is a paragraph by itself is an embed, where its site is known. A link with words stays one. */
export function embedsInPlace(nodes: readonly ElementContent[]): ElementContent[] {
  return nodes.map((node) => {
    const address = isElement(node, 'p') ? bareAddressIn(node) : undefined
    return address !== undefined && embedAt(address, '') ? renderEmbed(address, '') : node
  })
}

function bareAddressIn(paragraph: Element): string | undefined {
  const [link, ...others] = withoutSpace(paragraph.children)
  if (!link || !isElement(link) || !isNamed(link, 'a') || others.length > 0) return undefined
  if (link.properties['dataEmbed'] !== undefined) return undefined
  const href = attributeText(link, 'href')
  const written = textIn(link)
  return [written, `http://${written}`].some((one) => URL.parse(one)?.href === URL.parse(href)?.href)
    ? href
    : undefined
}
