import { originAndPath } from './addresses'
import { isSameSite } from './sites'
import { sourceAt, type Source } from './source-of'
import { textOf, type Step } from './step'

/** Where a visitor came from, as far as the browser told. */
export type Referrer =
  | { from: 'nowhere' }
  /** Another page of the same site. */
  | { from: 'inside'; address: string }
  /** It said something that is no address. */
  | { from: 'unknown' }
  | { from: 'elsewhere'; address: string; host: string; source: Source }

/** How SDKs say that nobody sent the visitor. */
const nobody = new Set(['', '$direct', '(direct)', 'null', 'undefined', 'about:blank', 'about:client'])

/** Sorts a referrer; `host` is the page's own. */
export function readReferrerText(text: string, host: string, isOwnHost: (host: string) => boolean): Referrer {
  if (nobody.has(text)) return { from: 'nowhere' }
  const place = originAndPath(text)
  if (!place) return { from: 'unknown' }
  if ((host !== '' && isSameSite(place.host, host)) || isOwnHost(place.host))
    return { from: 'inside', address: place.text }
  return {
    from: 'elsewhere',
    address: place.text,
    host: place.host,
    source: sourceAt(place.host, place.path),
  }
}

/** A page of the site's own is kept as the page before, but is nobody's referral: its host is not listed as one. */
export const readReferrer: Step = (draft, { rules }) => {
  const said = textOf(draft.event.properties, '$referrer')
  const isOwn = (host: string) => rules.namesHosts && rules.isOwnHost(host)
  draft.referrer = readReferrerText(said, draft.page?.host ?? draft.columns.host ?? '', isOwn)
  if (draft.referrer.from === 'inside' || draft.referrer.from === 'elsewhere')
    draft.columns.referrer = draft.referrer.address
  if (draft.referrer.from === 'elsewhere') draft.columns.referrer_host = draft.referrer.host
}
