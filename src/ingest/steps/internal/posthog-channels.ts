import { displayMediums, isMail, isShoppingCampaign, socialMediums } from './channels'
import type { SourceKind } from './sources'

/** The channels of PostHog's table, by its names. */
const posthogChannels = [
  'Cross Network',
  'Paid Shopping',
  'Paid Search',
  'Paid Social',
  'Paid Video',
  'Display',
  'Paid Unknown',
  'Direct',
  'AI',
  'Organic Shopping',
  'Organic Search',
  'Organic Social',
  'Organic Video',
  'Email',
  'Affiliate',
  'Audio',
  'SMS',
  'Push',
  'Referral',
  'Unknown',
] as const
export type PosthogChannel = (typeof posthogChannels)[number]

/** The input of PostHog's table; texts are in lower case. */
export interface PosthogChannelInput {
  /** The campaign's source, and the kind of the site that it names. */
  utmSource: string
  utmKind: SourceKind | undefined
  medium: string
  campaign: string
  /** The kind of the site that sent the visitor, apart from the campaign. */
  referrerKind: SourceKind | undefined
  referrer: 'direct' | 'site' | 'unknown'
  hasGclid: boolean
  hasFbclid: boolean
  /** Google's `gad_source`; '' if absent. */
  gadSource: string
}

type KindChannels = Partial<Record<SourceKind, PosthogChannel>>

const paidByKind: KindChannels = {
  search: 'Paid Search',
  social: 'Paid Social',
  video: 'Paid Video',
  shopping: 'Paid Shopping',
}

const organicByKind: KindChannels = {
  ai: 'AI',
  search: 'Organic Search',
  social: 'Organic Social',
  video: 'Organic Video',
  shopping: 'Organic Shopping',
  email: 'Email',
}

const paidMediums: ReadonlySet<string> = new Set(['cpc', 'cpm', 'cpv', 'cpa', 'ppc', 'retargeting'])

function paidChannelOfMedium(medium: string): PosthogChannel | undefined {
  if (displayMediums.has(medium)) return 'Display'
  if (socialMediums.has(medium)) return 'Paid Social'
  return medium === 'video' ? 'Paid Video' : undefined
}

const organicMediums: ReadonlyMap<string, PosthogChannel> = new Map([
  ['affiliate', 'Affiliate'],
  ['partnership', 'Affiliate'],
  ['partnerships', 'Affiliate'],
  ['audio', 'Audio'],
  ['sms', 'SMS'],
  ['push', 'Push'],
  ['mobile', 'Push'],
  ['notification', 'Push'],
  ['referral', 'Referral'],
  ['app', 'Referral'],
  ['link', 'Referral'],
  ['video', 'Organic Video'],
])

function organicChannelOfMedium(medium: string): PosthogChannel | undefined {
  if (displayMediums.has(medium)) return 'Display'
  if (socialMediums.has(medium)) return 'Organic Social'
  return isMail(medium) ? 'Email' : organicMediums.get(medium)
}

const ofKind = (channels: KindChannels, kind: SourceKind | undefined): PosthogChannel | undefined =>
  kind && channels[kind]

/** A campaign may name a channel instead of a site. */
const ofSourceName = (source: string): PosthogChannel | undefined => {
  if (isMail(source) || source === 'newsletter') return 'Email'
  if (source === 'sms') return 'SMS'
  return source === 'firebase' ? 'Push' : undefined
}

type PosthogRule = (input: PosthogChannelInput) => PosthogChannel | false | undefined

/**
 * The rules of PostHog's "channel type", in its order: the campaign's source, its name, its medium, then the referrer
 * (posthog.com/docs/data/channel-type). Which site is a search engine or a network is looked up in Tilth's own lists.
 */
const paidRules: readonly PosthogRule[] = [
  ({ utmKind }) => ofKind(paidByKind, utmKind),
  ({ campaign }) => isShoppingCampaign(campaign) && 'Paid Shopping',
  ({ medium }) => paidChannelOfMedium(medium),
  ({ referrerKind }) => ofKind(paidByKind, referrerKind),
  ({ gadSource }) => gadSource === '1' && 'Paid Search',
  ({ campaign }) => campaign.includes('video') && 'Paid Video',
  ({ hasFbclid }) => hasFbclid && 'Paid Social',
]

const organicRules: readonly PosthogRule[] = [
  ({ utmSource, utmKind }) => ofKind(organicByKind, utmKind) ?? ofSourceName(utmSource),
  ({ campaign }) => isShoppingCampaign(campaign) && 'Organic Shopping',
  ({ medium }) => organicChannelOfMedium(medium),
  ({ referrerKind }) => ofKind(organicByKind, referrerKind),
  ({ campaign }) => campaign.includes('video') && 'Organic Video',
  ({ medium }) => medium.endsWith('push') && 'Push',
  ({ hasFbclid }) => hasFbclid && 'Organic Social',
  ({ referrer }) => referrer === 'direct' && 'Direct',
  ({ referrer }) => referrer === 'site' && 'Referral',
]

export function classifyPosthogChannel(input: PosthogChannelInput): PosthogChannel {
  if (input.campaign.includes('cross-network')) return 'Cross Network'
  if (isPaid(input)) return firstChannel(paidRules, input) ?? 'Paid Unknown'
  return isDirect(input) ? 'Direct' : (firstChannel(organicRules, input) ?? 'Unknown')
}

const isPaid = ({ medium, hasGclid, gadSource }: PosthogChannelInput): boolean =>
  paidMediums.has(medium) || medium.startsWith('paid') || hasGclid || gadSource !== ''

const isDirect = ({ referrer, medium, utmSource, hasFbclid }: PosthogChannelInput): boolean =>
  referrer === 'direct' && medium === '' && ['', '(direct)', 'direct'].includes(utmSource) && !hasFbclid

function firstChannel(rules: readonly PosthogRule[], input: PosthogChannelInput): PosthogChannel | undefined {
  for (const rule of rules) {
    const channel = rule(input)
    if (channel) return channel
  }
  return undefined
}
