import { proxyPrefix } from './snippet'

/** A reason for missing events that can be checked only on the site itself. */
interface LikelyCause {
  title: string
  remedy: string
  code?: string
}

/** The causes of missing events, the most frequent first. */
export const likelyCauses = (address: string): LikelyCause[] => [
  ...(isThisMachineOnly(address) ? [reachability(address)] : []),
  ...(address.startsWith('http:') ? [mixedContent(address)] : []),
  {
    title: 'An ad blocker blocks the script or its requests',
    remedy: `Try a window without extensions. To avoid ad blockers, proxy Tilth under ${proxyPrefix}/ of your own domain.`,
  },
  automatedBrowser,
  {
    title: 'The Content-Security-Policy blocks it',
    remedy: 'The browser console shows it. Add to the policy:',
    code: `script-src ${address}; connect-src ${address}`,
  },
  {
    title: 'The snippet has a different address or key',
    remedy: `Compare it with the snippet above. The address is ${address}.`,
  },
  {
    title: 'The page does not have the snippet',
    remedy: 'A cache may serve an old version: check the page source for the address above.',
  },
]

/** Scripts send nothing from browsers that a program drives, and events of robots are dropped. */
export const automatedBrowser: LikelyCause = {
  title: 'Your browser is automated',
  remedy:
    'Browsers that Playwright, Selenium or another program drives are not counted. Open the page in a browser of your own.',
}

const mixedContent = (address: string): LikelyCause => ({
  title: 'The site uses https and this address does not',
  remedy: `Browsers block requests from https pages to ${address}. Serve Tilth over https.`,
})

const reachability = (address: string): LikelyCause => ({
  title: 'This address only works on this machine',
  remedy: `Visitors cannot reach ${address}. Set TILTH_URL to a public address.`,
})

function isThisMachineOnly(address: string): boolean {
  const { hostname } = new URL(address)
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.|^\[::1\]$/.test(hostname)
}
