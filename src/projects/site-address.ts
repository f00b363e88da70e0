export type ParsedSiteAddress = { isFit: true; address: string } | { isFit: false; why: string }

const longest = 2000
const example = 'Write the address of a page, such as https://example.com.'

/**
 * Parses the address of a site as a person types it, with its host in punycode. An address without a scheme is one of
 * https, or of http on this machine; an empty one stands for no site.
 */
export function parseSiteAddress(text: string): ParsedSiteAddress {
  const typed = text.trim()
  if (typed === '') return { isFit: true, address: '' }
  const url = /\s/.test(typed) ? null : URL.parse(withScheme(typed))
  if (!url || typed.length > longest) return { isFit: false, why: example }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { isFit: false, why: 'The address of a site begins with https:// or http://.' }
  if (url.username || url.password)
    return { isFit: false, why: 'Leave the name and password out of the address.' }
  url.hash = ''
  return { isFit: true, address: url.href }
}

const withScheme = (typed: string): string => {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(typed)) return typed
  return `${/^(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/i.test(typed) ? 'http' : 'https'}://${typed}`
}
