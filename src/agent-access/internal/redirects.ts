const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && loopbackHosts.has(hostname)

/** Returns why an address cannot be one that a sign-in leads back to; undefined where it can. */
export function redirectObjection(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || text.length > 2000) return `${JSON.stringify(text.slice(0, 100))} is not an address.`
  if (url.username || url.password || text.includes('#'))
    return 'Leave names, passwords and fragments out of redirect URIs.'
  if (url.protocol === 'https:' || isLoopback(url)) return undefined
  return `Use https, or http on this machine (127.0.0.1, [::1] or localhost), not ${url.protocol}//${url.hostname}.`
}

/** Whether an address is registered: exactly, but for the port on loopback (RFC 8252, section 7.3). */
export function isRegistered(text: string, registered: readonly string[]): boolean {
  if (redirectObjection(text) !== undefined) return false
  return registered.some((one) => one === text || isSameButForPort(one, text))
}

function isSameButForPort(registered: string, text: string): boolean {
  const [own, asked] = [URL.parse(registered), URL.parse(text)]
  if (!own || !asked || !isLoopback(own) || !isLoopback(asked)) return false
  own.port = ''
  asked.port = ''
  return own.href === asked.href
}

/** Adds parameters to an address that a sign-in leads back to. */
export function redirectWith(address: string, parameters: Record<string, string | undefined>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
