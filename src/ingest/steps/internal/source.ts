import { classifyChannel, type Channel, type ChannelTable } from './channels'
import { paidClickKind, paidMedium, sourceOfClickId } from './click-ids'
import { classifyPosthogChannel, type PosthogChannel } from './posthog-channels'
import { addressValue } from './page'
import type { Referrer } from './referrer'
import { findSourceByName, isPaidSourceName, type TrafficSource } from './traffic-sources'
import { textOf, type IngestStep, type PipelineDraft, type StepContext } from './step'

/** The facts about a visit's origin from the page's address and the browser. */
export interface AttributionSignals {
  utmSource: string
  utmMedium: string
  utmCampaign: string
  clickId: string
  /** The value of Google's `gad_source`, which names the kind of advertisement; '' if absent. */
  gadSource: string
  referrer: Referrer
  /** Whether an empty referrer means that no site sent the visitor; otherwise, it may not have been recorded. */
  recordsReferrer: boolean
}

function attributedSource({ utmSource, clickId, referrer }: AttributionSignals): TrafficSource | undefined {
  if (utmSource !== '') return findSourceByName(utmSource)
  if (referrer.from === 'elsewhere') return referrer.source
  const network = sourceOfClickId(clickId)
  return network === undefined ? undefined : findSourceByName(network)
}

/** Returns the campaign's medium, or the medium of a visit without a campaign. */
function attributedMedium(
  { utmSource, utmMedium, referrer }: AttributionSignals,
  source: TrafficSource | undefined,
): string {
  if (utmMedium !== '') return utmMedium.toLowerCase()
  if (source?.kind === 'ads') return 'display'
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
export function attribute(
  signals: AttributionSignals,
  table: ChannelTable = 'google',
): { source: string; channel: Channel | PosthogChannel } {
  const source = attributedSource(signals)
  const channel = table === 'posthog' ? posthogChannelOf(signals) : googleChannelOf(signals, source)
  return { source: source?.name ?? '', channel }
}

function googleChannelOf(signals: AttributionSignals, source: TrafficSource | undefined): Channel {
  const { utmSource, utmCampaign, clickId, referrer } = signals
  const isUnknownReferrer = !source && referrer.from === 'unknown'
  const paidKind = paidClickKind(clickId, source, utmSource !== '')
  const medium = attributedMedium(signals, source)
  const isPaid = paidKind !== undefined || isPaidSourceName(utmSource)
  return classifyChannel({
    source: source?.name.toLowerCase() ?? (isUnknownReferrer ? '' : '(direct)'),
    kind: paidKind ?? source?.kind,
    medium: isPaid ? paidMedium(medium) : medium,
    campaign: utmCampaign.toLowerCase(),
  })
}

function posthogChannelOf(signals: AttributionSignals): PosthogChannel {
  const { utmSource, utmMedium, utmCampaign, clickId, gadSource, referrer, recordsReferrer } = signals
  return classifyPosthogChannel({
    utmSource: utmSource.toLowerCase(),
    utmKind: utmSource === '' ? undefined : findSourceByName(utmSource).kind,
    medium: utmMedium.toLowerCase(),
    campaign: utmCampaign.toLowerCase(),
    referrerKind: referrer.from === 'elsewhere' ? referrer.source.kind : undefined,
    referrer: referrerForPosthog(referrer, recordsReferrer),
    hasGclid: clickId === 'gclid',
    hasFbclid: clickId === 'fbclid',
    gadSource,
  })
}

function referrerForPosthog(referrer: Referrer, recordsReferrer: boolean): 'direct' | 'site' | 'unknown' {
  if (referrer.from === 'elsewhere') return 'site'
  return referrer.from !== 'unknown' && recordsReferrer ? 'direct' : 'unknown'
}

/** An event without a page has no acquisition. */
export const readSource: IngestStep = (draft, context) => {
  const signals = attributionSignalsOf(draft, context)
  const isOfPage = draft.page !== undefined || draft.columns.path !== undefined
  if (
    !isOfPage &&
    signals.referrer.from === 'nowhere' &&
    signals.utmSource === '' &&
    signals.utmMedium === ''
  )
    return
  const { source, channel } = attribute(signals, context.rules.channelTable)
  if (source !== '') draft.columns.source = source
  draft.columns.channel = channel
}

function attributionSignalsOf(draft: PipelineDraft, { envelope }: StepContext): AttributionSignals {
  const { columns, referrer, event } = draft
  return {
    utmSource: columns.utm_source ?? '',
    utmMedium: columns.utm_medium ?? '',
    utmCampaign: columns.utm_campaign ?? '',
    clickId: columns.click_id ?? '',
    gadSource: addressValue(draft, 'gad_source'),
    referrer,
    // posthog-js says "$direct"; trackers of other vendors leave out what the browser does not have
    recordsReferrer: envelope.dialect !== 'posthog' || textOf(event.properties, '$referrer') !== '',
  }
}
