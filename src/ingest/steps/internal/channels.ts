import type { SourceKind } from './sources'

/** The tables by which a project names channels: Google Analytics' default channel group, or PostHog's channel types. */
export const channelTables = ['google', 'posthog'] as const
export type ChannelTable = (typeof channelTables)[number]

/** The channels through which visitors arrive, by Google Analytics' names. */
export const channels = [
  'AI Assistants',
  'Cross-network',
  'Paid Shopping',
  'Paid Search',
  'Paid Social',
  'Paid Video',
  'Display',
  'Paid Other',
  'Organic Shopping',
  'Organic Social',
  'Organic Video',
  'Organic Search',
  'Referral',
  'Email',
  'Affiliates',
  'Audio',
  'SMS',
  'Mobile Push Notifications',
  'Direct',
  'Unassigned',
] as const
export type Channel = (typeof channels)[number]

/** The input from which the channel is derived; texts are in lower case. */
export interface ChannelInput {
  source: string
  kind: SourceKind | undefined
  medium: string
  campaign: string
}

interface ChannelRule {
  channel: Channel
  holds: (acquisition: ChannelInput) => boolean
}

export const isPaidMedium = (medium: string): boolean => /cp|^ppc$|^retargeting$|^paid/.test(medium)
export const isShoppingCampaign = (campaign: string): boolean => /(?:[^a-df-z]|^)shop|shopping/.test(campaign)

const isPaid = ({ medium }: ChannelInput) => isPaidMedium(medium)
const isShopping = ({ kind, campaign }: ChannelInput) => kind === 'shopping' || isShoppingCampaign(campaign)
export const isMail = (text: string) => ['email', 'e-mail', 'e_mail', 'e mail'].includes(text)
export const displayMediums: ReadonlySet<string> = new Set([
  'display',
  'banner',
  'expandable',
  'interstitial',
  'cpm',
])
export const socialMediums: ReadonlySet<string> = new Set([
  'social',
  'social-network',
  'social-media',
  'sm',
  'social network',
  'social media',
])

/**
 * Google Analytics' default channel group, in its order, so that numbers can be compared
 * (support.google.com/analytics/answer/9756891). AI assistants, which it has no channel for, come first.
 */
const rules: readonly ChannelRule[] = [
  { channel: 'AI Assistants', holds: (from) => from.kind === 'ai' && !isPaid(from) },
  { channel: 'Cross-network', holds: ({ campaign }) => campaign.includes('cross-network') },
  { channel: 'Paid Shopping', holds: (from) => isShopping(from) && isPaid(from) },
  { channel: 'Paid Search', holds: (from) => from.kind === 'search' && isPaid(from) },
  { channel: 'Paid Social', holds: (from) => from.kind === 'social' && isPaid(from) },
  { channel: 'Paid Video', holds: (from) => from.kind === 'video' && isPaid(from) },
  { channel: 'Display', holds: ({ medium }) => displayMediums.has(medium) },
  { channel: 'Paid Other', holds: isPaid },
  { channel: 'Organic Shopping', holds: isShopping },
  { channel: 'Organic Social', holds: ({ kind, medium }) => kind === 'social' || socialMediums.has(medium) },
  { channel: 'Organic Video', holds: ({ kind, medium }) => kind === 'video' || medium.includes('video') },
  { channel: 'Organic Search', holds: ({ kind, medium }) => kind === 'search' || medium === 'organic' },
  { channel: 'Referral', holds: ({ medium }) => ['referral', 'app', 'link'].includes(medium) },
  { channel: 'Email', holds: ({ source, medium }) => isMail(source) || isMail(medium) },
  { channel: 'Affiliates', holds: ({ medium }) => medium === 'affiliate' },
  { channel: 'Audio', holds: ({ medium }) => medium === 'audio' },
  { channel: 'SMS', holds: ({ source, medium }) => source === 'sms' || medium === 'sms' },
  {
    channel: 'Mobile Push Notifications',
    holds: ({ source, medium }) => source === 'firebase' || isPush(medium),
  },
  {
    channel: 'Direct',
    holds: ({ source, medium }) => source === '(direct)' && ['(none)', '(not set)'].includes(medium),
  },
  // Google Analytics leaves these unassigned, although they are clear
  { channel: 'Email', holds: ({ source, kind }) => kind === 'email' || source.includes('newsletter') },
]

function isPush(medium: string): boolean {
  return medium.endsWith('push') || medium.includes('mobile') || medium.includes('notification')
}

export const classifyChannel = (input: ChannelInput): Channel =>
  rules.find((rule) => rule.holds(input))?.channel ?? 'Unassigned'
