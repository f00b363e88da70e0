import { classifyChannel, type Channel } from './channels'
import type { Referrer } from './referrer'
import { findSourceByName, type TrafficSource } from './traffic-sources'
import type { IngestStep, PipelineDraft } from './step'

/** The facts about a visit's origin from the page's address and the browser. */
export interface AttributionSignals {
  utmSource: string
  utmMedium: string
  utmCampaign: string
  clickId: string
  referrer: Referrer
}

/** The source that a click id implies if the visit has no other source. */
const clickSources: ReadonlyMap<string, string> = new Map([
  ['gclid', 'Google'],
  ['gbraid', 'Google'],
  ['wbraid', 'Google'],
  ['dclid', 'Google'],
  ['gclsrc', 'Google'],
  ['gad_source', 'Google'],
  ['gad_campaignid', 'Google'],
  ['srsltid', 'Google'],
  ['msclkid', 'Bing'],
  ['fbclid', 'Facebook'],
  ['igshid', 'Instagram'],
  ['twclid', 'Twitter'],
  ['ttclid', 'TikTok'],
  ['li_fat_id', 'LinkedIn'],
  ['rdt_cid', 'Reddit'],
  ['epik', 'Pinterest'],
  ['sccid', 'Snapchat'],
  ['yclid', 'Yandex'],
])

/**
 * Click ids that mark only paid clicks, if they come from their own network; the others mark every click. (Visitors
 * share links with the whole query, so a click id from another network does not mean an advertisement.)
 */
const paidClicks = new Set([
  'gclid',
  'gbraid',
  'wbraid',
  'dclid',
  'gclsrc',
  'gad_source',
  'gad_campaignid',
  'msclkid',
])

export function attributedSource({
  utmSource,
  clickId,
  referrer,
}: AttributionSignals): TrafficSource | undefined {
  if (utmSource !== '') return findSourceByName(utmSource)
  if (referrer.from === 'elsewhere') return referrer.source
  const network = clickSources.get(clickId)
  return network === undefined ? undefined : findSourceByName(network)
}

/** Returns the campaign's medium, or the medium of a visit without a campaign. */
function attributedMedium(
  { utmSource, utmMedium, clickId, referrer }: AttributionSignals,
  source: TrafficSource | undefined,
): string {
  if (utmMedium !== '') return utmMedium.toLowerCase()
  if (source?.kind === 'ads') return 'display'
  if (source && paidClicks.has(clickId) && clickSources.get(clickId) === source.name) return 'cpc'
  if (utmSource !== '') return /adwords|[-_ ]ads?$/i.test(utmSource) ? 'paid' : '(not set)'
  if (!source) return '(none)'
  return referrer.from === 'elsewhere'
    ? (referralMediums.get(source.kind ?? 'site') ?? 'referral')
    : '(not set)'
}

const referralMediums: ReadonlyMap<string, string> = new Map([
  ['search', 'organic'],
  ['email', 'email'],
])

/** Returns the source and the channel of a visit. */
export function attribute(signals: AttributionSignals): { source: string; channel: Channel } {
  const source = attributedSource(signals)
  const isUnknownReferrer = !source && signals.referrer.from === 'unknown'
  const channel = classifyChannel({
    source: source?.name.toLowerCase() ?? (isUnknownReferrer ? '' : '(direct)'),
    kind: source?.kind,
    medium: attributedMedium(signals, source),
    campaign: signals.utmCampaign.toLowerCase(),
  })
  return { source: source?.name ?? '', channel }
}

/** An event without a page has no acquisition. */
export const readSource: IngestStep = (draft) => {
  const signals = attributionSignalsOf(draft)
  const isOfPage = draft.page !== undefined || draft.columns.path !== undefined
  if (
    !isOfPage &&
    signals.referrer.from === 'nowhere' &&
    signals.utmSource === '' &&
    signals.utmMedium === ''
  )
    return
  const { source, channel } = attribute(signals)
  if (source !== '') draft.columns.source = source
  draft.columns.channel = channel
}

function attributionSignalsOf({ columns, referrer }: PipelineDraft): AttributionSignals {
  return {
    utmSource: columns.utm_source ?? '',
    utmMedium: columns.utm_medium ?? '',
    utmCampaign: columns.utm_campaign ?? '',
    clickId: columns.click_id ?? '',
    referrer,
  }
}
