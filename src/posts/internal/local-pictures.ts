import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'

interface LocalPicture {
  /** The address as it is written in the text. */
  address: string
  /** The offset of the address in the text. */
  from: number
  until: number
}

/** Finds the pictures that a text refers to by a relative path. */
export function localPictures(text: string): LocalPicture[] {
  const found: LocalPicture[] = []
  visit(unified().use(remarkParse).parse(text), ['image', 'definition'], (node) => {
    const address = 'url' in node ? node.url : ''
    const from = text.indexOf(address, node.position?.start.offset ?? 0)
    if (isLocalAddress(address) && from >= 0) found.push({ address, from, until: from + address.length })
  })
  return found
}

/** Returns the text with other addresses at these positions. */
export function replaceAddresses(
  text: string,
  found: readonly (LocalPicture & { becomes: string })[],
): string {
  let written = text
  for (const { from, until, becomes } of found.toSorted((one, other) => other.from - one.from))
    written = written.slice(0, from) + becomes + written.slice(until)
  return written
}

/** Whether an address is relative: neither on another server, nor from the root of this one. */
export const isLocalAddress = (address: string): boolean =>
  address !== '' &&
  !/^(?:[a-z][a-z\d+.-]*:|\/|#)/i.test(address) &&
  /\.(?:jpe?g|png|webp|gif|avif)$/i.test(address)
