import { parseExternalUrl } from './addresses'
import { isSameSite } from './sites'
import { findSourceByApp, findSourceByHost, type TrafficSource } from './traffic-sources'
import { textOf, type IngestStep } from './step'

/** The origin of a visitor as the browser reports it. */
export type Referrer =
  | { from: 'nowhere' }
  /** Another page of the same site. */
  | { from: 'inside'; address: string }
  /** The value is not a valid address. */
  | { from: 'unknown' }
  | { from: 'elsewhere'; address: string; host: string; source: TrafficSource }

/** Values with which SDKs mark a direct visit. */
const directReferrers = new Set([
  '',
  '$direct',
  '(direct)',
  'null',
  'undefined',
  'about:blank',
  'about:client',
])

const appAddress = /^(?:android|ios)-app:/

/** Classifies a referrer; `host` is the page's own host. */
export function classifyReferrer(text: string, host: string, isOwnHost: (host: string) => boolean): Referrer {
  if (directReferrers.has(text)) return { from: 'nowhere' }
  const page = parseExternalUrl(text)
  if (!page) return { from: 'unknown' }
  if ((host !== '' && isSameSite(page.host, host)) || isOwnHost(page.host))
    return { from: 'inside', address: page.text }
  return {
    from: 'elsewhere',
    address: page.text,
    host: page.host,
    source: appAddress.test(page.text) ? findSourceByApp(page.host) : findSourceByHost(page.host, page.path),
  }
}

/** A page of the same site is stored as the previous page, but does not count as a referrer. */
export const readReferrer: IngestStep = (draft, { rules }) => {
  const referrer = textOf(draft.event.properties, '$referrer')
  const isOwn = (host: string) => rules.namesHosts && rules.isOwnHost(host)
  draft.referrer = classifyReferrer(referrer, draft.page?.host ?? draft.columns.host ?? '', isOwn)
  if (draft.referrer.from === 'inside' || draft.referrer.from === 'elsewhere')
    draft.columns.referrer = draft.referrer.address
  if (draft.referrer.from === 'elsewhere') draft.columns.referrer_host = draft.referrer.host
}
