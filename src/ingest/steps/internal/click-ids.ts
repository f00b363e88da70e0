import type { SourceKind } from './sources'
import { displayMediums, isPaidMedium } from './channels'
import type { TrafficSource } from './traffic-sources'

interface ClickIdKind {
  /** The source that the click id implies if the visit has no other source. */
  source: string
  /** The kind of site on which the advertisements stand. */
  kind: SourceKind
  /** Whether only clicks on advertisements carry it; others mark every click that leaves the network. */
  isPaid: boolean
  /** The further sources of the same network, whose advertisements carry the same click id. */
  network?: RegExp
}

const googleNetwork = /^(?:Google|YouTube$|Gmail$)/
const paidOnGoogle: ClickIdKind = { source: 'Google', kind: 'search', isPaid: true, network: googleNetwork }
const paidSocial = (source: string): ClickIdKind => ({ source, kind: 'social', isPaid: true })
const social = (source: string): ClickIdKind => ({ source, kind: 'social', isPaid: false })

const clickIdKinds: ReadonlyMap<string, ClickIdKind> = new Map([
  ['gclid', paidOnGoogle],
  ['gbraid', paidOnGoogle],
  ['wbraid', paidOnGoogle],
  ['dclid', paidOnGoogle],
  ['gclsrc', paidOnGoogle],
  ['gad_source', paidOnGoogle],
  ['gad_campaignid', paidOnGoogle],
  // the free listings of Google Merchant Center
  ['srsltid', { source: 'Google', kind: 'search', isPaid: false }],
  ['msclkid', { source: 'Bing', kind: 'search', isPaid: true, network: /^(?:Bing|MSN|Outlook\.com$)/ }],
  ['yclid', { source: 'Yandex', kind: 'search', isPaid: true, network: /^Yandex/ }],
  ['fbclid', social('Facebook')],
  ['igshid', social('Instagram')],
  ['epik', social('Pinterest')],
  ['twclid', paidSocial('Twitter')],
  ['ttclid', paidSocial('TikTok')],
  ['li_fat_id', paidSocial('LinkedIn')],
  ['rdt_cid', paidSocial('Reddit')],
  ['qclid', paidSocial('Quora')],
  ['sccid', paidSocial('Snapchat')],
])

/** Returns the source that a click id implies. */
export const sourceOfClickId = (clickId: string): string | undefined => clickIdKinds.get(clickId)?.source

/**
 * Returns the kind of site of a paid click, or undefined if the click id does not make the visit a paid one. Visitors
 * share links with the whole query, so a click id does not count for a visit that a site of another network sent. A
 * campaign's own `utm_source` stands in the same link as the click id and does not contradict it.
 */
export function paidClickKind(
  clickId: string,
  source: TrafficSource | undefined,
  namesCampaign: boolean,
): SourceKind | undefined {
  const click = clickIdKinds.get(clickId)
  if (!click?.isPaid) return undefined
  if (source?.kind === undefined) return click.kind
  const isOfNetwork = source.name === click.source || click.network?.test(source.name) === true
  if (!isOfNetwork && !namesCampaign) return undefined
  return advertisingKinds.has(source.kind) ? source.kind : click.kind
}

/** The kinds of sites that have paid channels of their own. */
const advertisingKinds: ReadonlySet<SourceKind> = new Set(['search', 'social', 'video', 'shopping', 'ads'])

/** Mediums of advertisements stay as they are: they say more than that the click was paid. */
export const paidMedium = (medium: string): string =>
  isPaidMedium(medium) || displayMediums.has(medium) ? medium : 'cpc'
