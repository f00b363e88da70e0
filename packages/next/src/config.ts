export interface TilthOptions {
  /** The address at which this server reaches Tilth: TILTH_ADDRESS, or else NEXT_PUBLIC_TILTH_ADDRESS. */
  address?: string
  /** The public write key of the project or of an environment: NEXT_PUBLIC_TILTH_PROJECT. */
  project?: string
  /** A secret key of the project, which never leaves the server: TILTH_SECRET_KEY. */
  secretKey?: string
  /** The way visitors are told apart: by a first-party cookie, or for a day and without storage. */
  visitors?: 'cookie' | 'daily'
  /** The longest time that a page waits for Tilth: TILTH_DEADLINE_MS, or else 300. */
  deadlineMs?: number
  /** The number of proxies before this server that add the address of their client to `X-Forwarded-For`. */
  trustedProxies?: number
}

export interface TilthConfig extends Required<TilthOptions> {
  /** The address at which browsers reach Tilth: NEXT_PUBLIC_TILTH_ADDRESS, or else TILTH_ADDRESS. */
  publicAddress: string
}

let hasWarned = false

/** Reads the settings; undefined, with a line in the log, if one is missing. */
export function readConfig(options: TilthOptions = {}): TilthConfig | undefined {
  const { NEXT_PUBLIC_TILTH_ADDRESS: forBrowsers, TILTH_ADDRESS: forServers } = addresses()
  const address = options.address ?? forServers ?? forBrowsers
  const project = options.project ?? process.env.NEXT_PUBLIC_TILTH_PROJECT
  const secretKey = options.secretKey ?? process.env.TILTH_SECRET_KEY
  if (!address || !project || !secretKey) {
    warnOnce('Set NEXT_PUBLIC_TILTH_ADDRESS, NEXT_PUBLIC_TILTH_PROJECT and TILTH_SECRET_KEY.')
    return undefined
  }
  return {
    visitors: 'cookie',
    deadlineMs: Number(process.env.TILTH_DEADLINE_MS) || 300,
    trustedProxies: 1,
    ...options,
    address: address.replace(/\/$/, ''),
    publicAddress: (forBrowsers ?? address).replace(/\/$/, ''),
    project,
    secretKey,
  }
}

/** Named one by one, because builds replace these expressions. */
const addresses = () => ({
  NEXT_PUBLIC_TILTH_ADDRESS: process.env.NEXT_PUBLIC_TILTH_ADDRESS,
  TILTH_ADDRESS: process.env.TILTH_ADDRESS,
})

export function warnOnce(problem: string): void {
  if (hasWarned) return
  hasWarned = true
  // the log of the app is the only place where its developers look
  // oxlint-disable-next-line no-console
  console.warn(`[tilth] ${problem} Until then pages show their originals.`)
}
