import { classifyChannel, type Channel } from './channels'
import type { Referrer } from './referrer'
import { findSourceByName, type TrafficSource } from './traffic-sources'
import type { IngestStep, PipelineDraft } from './step'

/** What a page's address and the browser tell of how its visitor came. */
export interface AttributionSignals {
  utmSource: string
  utmMedium: string
  utmCampaign: string
  clickId: string
  referrer: Referrer
}

/** The source that a click id implies where the visit has no other source. */
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
 * Ids that mark paid clicks alone, where they come from their own network; the others mark every click. (Links are
 * passed on with all their query: one that was an advertisement elsewhere is none here.)
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

/** The medium a campaign names, or else the one that a visit without a campaign has. */
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

/** Who sent the visitor, and through which channel. */
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

/** An event that no page tells anything about was not acquired at all. */
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
