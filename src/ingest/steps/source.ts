import { channelOf, type Channel } from './channels'
import type { Referrer } from './referrer'
import { sourceNamed, type Source } from './source-of'
import type { Step, Underway } from './step'

/** What a page's address and the browser tell of how its visitor came. */
export interface Traces {
  utmSource: string
  utmMedium: string
  utmCampaign: string
  clickId: string
  referrer: Referrer
}

/** Whose click an id is from, where no other trace says who sent the visitor. */
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

export function sourceOf({ utmSource, clickId, referrer }: Traces): Source | undefined {
  if (utmSource !== '') return sourceNamed(utmSource)
  if (referrer.from === 'elsewhere') return referrer.source
  const network = clickSources.get(clickId)
  return network === undefined ? undefined : sourceNamed(network)
}

/** The medium a campaign names, or else the one that a visit without a campaign has. */
function mediumOf({ utmSource, utmMedium, clickId, referrer }: Traces, source: Source | undefined): string {
  if (utmMedium !== '') return utmMedium.toLowerCase()
  if (source?.kind === 'ads') return 'display'
  if (source && paidClicks.has(clickId) && clickSources.get(clickId) === source.name) return 'cpc'
  if (utmSource !== '') return /adwords|[-_ ]ads?$/i.test(utmSource) ? 'paid' : '(not set)'
  if (!source) return '(none)'
  return referrer.from === 'elsewhere' ? (referrals.get(source.kind ?? 'site') ?? 'referral') : '(not set)'
}

const referrals: ReadonlyMap<string, string> = new Map([
  ['search', 'organic'],
  ['email', 'email'],
])

/** Who sent the visitor, and through which channel. */
export function acquisitionOf(traces: Traces): { source: string; channel: Channel } {
  const source = sourceOf(traces)
  const isLost = !source && traces.referrer.from === 'unknown'
  const channel = channelOf({
    source: source?.name.toLowerCase() ?? (isLost ? '' : '(direct)'),
    kind: source?.kind,
    medium: mediumOf(traces, source),
    campaign: traces.utmCampaign.toLowerCase(),
  })
  return { source: source?.name ?? '', channel }
}

/** An event that no page tells anything about was not acquired at all. */
export const readSource: Step = (draft) => {
  const traces = tracesOf(draft)
  const isOfPage = draft.page !== undefined || draft.columns.path !== undefined
  if (!isOfPage && traces.referrer.from === 'nowhere' && traces.utmSource === '' && traces.utmMedium === '')
    return
  const { source, channel } = acquisitionOf(traces)
  if (source !== '') draft.columns.source = source
  draft.columns.channel = channel
}

function tracesOf({ columns, referrer }: Underway): Traces {
  return {
    utmSource: columns.utm_source ?? '',
    utmMedium: columns.utm_medium ?? '',
    utmCampaign: columns.utm_campaign ?? '',
    clickId: columns.click_id ?? '',
    referrer,
  }
}
