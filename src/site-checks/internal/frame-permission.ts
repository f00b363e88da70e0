/** A page's address and the headers that it came with. */
interface FramedPage {
  address: string
  headers: Headers
}

/**
 * Whether browsers show a page in a frame of another origin: `frame-ancestors` decides where a policy has it, otherwise
 * `X-Frame-Options` (https://www.w3.org/TR/CSP3/#frame-ancestors-and-frame-options,
 * https://html.spec.whatwg.org/multipage/document-lifecycle.html#the-x-frame-options-header).
 */
export function mayBeFramed({ address, headers }: FramedPage, framedBy: string): boolean {
  const [page, frame] = [URL.parse(address), URL.parse(framedBy)]
  if (!page || !frame || isMixedContent(page, frame)) return false
  const ancestors = frameAncestorsIn(headers.get('content-security-policy') ?? '')
  if (ancestors.length > 0)
    return ancestors.every((sources) => sources.some((source) => allows(source, page, frame)))
  return allowsByOptions(headers.get('x-frame-options') ?? '', page, frame)
}

/** Browsers block pages without TLS in pages with it, except those of the machine itself. */
const isMixedContent = (page: URL, frame: URL): boolean =>
  frame.protocol === 'https:' &&
  page.protocol === 'http:' &&
  !/^(?:localhost|127\.|\[::1\])/.test(page.hostname)

/** The sources of each policy that has the directive; several headers are joined by commas. */
const frameAncestorsIn = (policies: string): string[][] =>
  policies.split(',').flatMap((policy) => {
    const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/))
    const found = directives.find(([name = '']) => name.toLowerCase() === 'frame-ancestors')
    return found ? [found.slice(1).map((source) => source.toLowerCase())] : []
  })

function allows(source: string, page: URL, frame: URL): boolean {
  if (source === '*') return true
  if (source === "'self'") return page.origin === frame.origin
  if (/^[a-z][a-z\d+.-]*:$/.test(source)) return coversScheme(source, frame)
  const [, scheme = page.protocol, host = '', port] =
    /^(?:([a-z][a-z\d+.-]*:)\/\/)?([^/:]+|\[[^\]]+\])(?::(\d+|\*))?(?:\/.*)?$/.exec(source) ?? []
  return coversScheme(scheme, frame) && coversHost(host, frame.hostname) && coversPort(port, frame)
}

/** A source of http covers https too. */
const coversScheme = (scheme: string, { protocol }: URL): boolean =>
  scheme === protocol || (scheme === 'http:' && protocol === 'https:')

const coversHost = (host: string, name: string): boolean =>
  host === '*' || host === name || (host.startsWith('*.') && name.endsWith(host.slice(1)))

const coversPort = (port: string | undefined, frame: URL): boolean =>
  port === '*' || (port ?? '') === frame.port || (frame.port === '' && port === usualPort(frame))

const usualPort = ({ protocol }: URL): string => (protocol === 'https:' ? '443' : '80')

function allowsByOptions(header: string, page: URL, frame: URL): boolean {
  const options = new Set(
    header
      .toLowerCase()
      .split(',')
      .map((option) => option.trim())
      .filter(Boolean),
  )
  if (options.size > 1) return !['allowall', 'deny', 'sameorigin'].some((option) => options.has(option))
  if (options.has('deny')) return false
  return !options.has('sameorigin') || page.origin === frame.origin
}
