import { proxyPrefix } from './snippet'

/** A reason for missing events that can be checked only on the site itself. */
export interface LikelyCause {
  title: string
  remedy: string
  /** To be copied. */
  code?: string
}

/** What keeps events away most often comes first. */
export const likelyCauses = (address: string): LikelyCause[] => [
  ...(isThisMachineOnly(address) ? [reachability(address)] : []),
  ...(address.startsWith('http:') ? [mixedContent(address)] : []),
  {
    title: 'An ad blocker stops the script or its requests',
    remedy: `Look in a window without extensions. To get past them, serve it below ${proxyPrefix}/ of the site’s own address.`,
  },
  {
    title: 'The site’s Content-Security-Policy forbids it',
    remedy: 'The browser’s console says so. Add to the policy:',
    code: `script-src ${address}; connect-src ${address}`,
  },
  {
    title: 'The snippet has another address or key',
    remedy: `Compare it with the one here: the address is ${address}.`,
  },
  {
    title: 'The page that is looked at is not the one with the snippet',
    remedy: 'A cache or a deployment may still serve the old one: look at its source for the address above.',
  },
]

const mixedContent = (address: string): LikelyCause => ({
  title: 'The site is on https and this address is not',
  remedy: `Browsers let no https page speak to ${address}. Put Tilth behind https, or behind the site’s own address.`,
})

const reachability = (address: string): LikelyCause => ({
  title: 'Only this machine can reach this address',
  remedy: `${address} means something else on every machine. Set TILTH_URL to an address that visitors can reach.`,
})

export function isThisMachineOnly(address: string): boolean {
  const { hostname } = new URL(address)
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.|^\[::1\]$/.test(hostname)
}
