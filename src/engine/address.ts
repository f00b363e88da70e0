import type { EngineAddress } from './engine'

const usualPorts: Record<string, string> = { 'http:': '8123', 'https:': '8443' }

/** Parses `http(s)://user:password@host[:port][/database]`. Error messages do not contain the password. */
export function parseEngineUrl(text: string): EngineAddress {
  const url = URL.parse(text)
  const usualPort = url && usualPorts[url.protocol]
  if (!url || !usualPort) throw new Error(`TILTH_ENGINE ${expectedForm}`)
  const database = decodeURIComponent(url.pathname.slice(1)) || 'default'
  if (!/^\w+$/.test(database))
    throw new Error(`TILTH_ENGINE names the database "${database}". It ${expectedForm}`)
  return {
    url: `${url.protocol}//${url.hostname}:${portOf(text) ?? usualPort}`,
    username: decodeURIComponent(url.username) || 'default',
    password: decodeURIComponent(url.password),
    database,
  }
}

/** Formats an address for `parseEngineUrl`. URL is not used, for the same reason as below. */
export function engineUrl({ url, username, password, database }: EngineAddress): string {
  const [scheme, host] = url.split('://')
  return `${scheme}://${encodeURIComponent(username)}:${encodeURIComponent(password)}@${host}/${database}`
}

const expectedForm =
  'must look like https://user:password@host:8443/database, with a database of letters, digits and _. ' +
  'Write special characters of the password percent-encoded.'

/** Reads the port from the text, because URL drops the default ports of browsers, which are not ClickHouse's. */
function portOf(text: string): string | undefined {
  const authority = text.split(/[/?#]/)[2]
  const host = authority?.slice(authority.lastIndexOf('@') + 1)
  return host && /:(\d+)$/.exec(host)?.[1]
}
