import { describe, expect, test } from 'vitest'
import channelCases from '#test/vectors/channels.json'
import referrerCases from '#test/vectors/referrers.json'
import { anEnvelope, anIngestContext, withProperties } from '#test/product/ingest-fixture'
import { compileIngestRules, projectIngestSettings } from '../../settings'
import { type ChannelInput, type ChannelTable, classifyChannel } from './channels'
import { readUrl } from './page'
import { type Referrer, classifyReferrer } from './referrer'
import { attribute, type AttributionSignals, readSource } from './source'
import { createPipelineDraft } from './step'
import { findSourceByName } from './traffic-sources'
import type { SourceKind } from './sources'

/** Our word for what Snowplow calls the medium of a referrer. */
const kindOf: Readonly<Record<string, SourceKind>> = {
  search: 'search',
  social: 'social',
  email: 'email',
  paid: 'ads',
  chatbot: 'ai',
  ai: 'ai',
}

const nowhere = () => false

describe('a referrer', () => {
  test.each(referrerCases.snowplow)('Snowplow’s "$spec" is from $source', ({ uri, medium, source }) => {
    const referrer = classifyReferrer(uri, 'www.psychicbazaar.com', nowhere)
    expect(referrer).toMatchObject({ from: 'elsewhere', source: { name: source, kind: kindOf[medium] } })
  })

  test.each(referrerCases.extra)('$referrer on $page is $medium', ({ referrer, page, medium, source }) => {
    const found = classifyReferrer(referrer, new URL(page).host, nowhere)
    const from = medium === 'internal' ? 'inside' : medium === 'unknown' ? 'unknown' : 'elsewhere'
    expect(found.from).toBe(from)
    if (found.from !== 'elsewhere') return
    expect(found.source.kind).toBe(kindOf[medium])
    if (source) expect(found.source.name).toBe(source)
    expect(found.address).not.toContain('pass')
  })

  test.each([
    // a service beside the search is not the search
    ['https://docs.google.com/document/d/1', { name: 'Google Docs', kind: 'site' }],
    ['https://accounts.google.com/signin', { name: 'accounts.google.com', kind: undefined }],
    ['https://www.google.co.uk/', { name: 'Google', kind: 'search' }],
    ['https://www.google.de/imgres', { name: 'Google Images', kind: 'search' }],
    ['https://mail.google.com/mail/u/0', { name: 'Gmail', kind: 'email' }],
    ['https://gemini.google.com/app', { name: 'Google Gemini', kind: 'ai' }],
    ['https://x.com/i/grok', { name: 'Grok', kind: 'ai' }],
    ['https://x.com/somebody', { name: 'Twitter', kind: 'social' }],
    ['https://notx.com/', { name: 'notx.com', kind: undefined }],
    ['https://www.ebay.co.uk/itm/1', { name: 'eBay', kind: 'shopping' }],
    ['https://de.wikipedia.org/wiki/Humus', { name: 'Wikipedia', kind: 'site' }],
    ['https://webmail7.orange.fr/read', { name: 'Orange Webmail', kind: 'email' }],
    // webmail by how it is named, on no list
    ['https://deref-gmx-02.net/', { name: 'deref-gmx-02.net', kind: 'email' }],
    ['https://deref-gmx.com.mx/', { kind: 'email' }],
    ['https://3c.gmx.net/mail/client/', { name: 'GMX', kind: 'email' }],
    ['https://lightmailer-bs.web.de/x', { name: 'Web.de', kind: 'email' }],
    ['https://webmail2.some-hoster.example/', { name: 'webmail2.some-hoster.example', kind: 'email' }],
    ['https://roundcube.example.org/', { name: 'roundcube.example.org', kind: 'email' }],
    ['https://mailchimp-news.example.org/', { kind: undefined }],
    ['https://mail.com/', { name: 'mail.com', kind: undefined }],
    // apps by the domain of their maker, or by the names in their package
    ['android-app://com.facebook.lite/', { name: 'Facebook', kind: 'social' }],
    ['android-app://com.linkedin.android.sales/', { name: 'LinkedIn', kind: 'social' }],
    ['android-app://com.vkontakte.android/', { name: 'Vkontakte', kind: 'social' }],
    ['android-app://com.tiktok.lite.go/', { name: 'TikTok', kind: 'social' }],
    ['android-app://com.google.android.youtube/', { name: 'YouTube', kind: 'video' }],
    ['android-app://com.microsoft.bing.search/', { name: 'Bing', kind: 'search' }],
    ['android-app://com.yandex.searchapp/', { name: 'Yandex', kind: 'search' }],
    ['android-app://com.fsck.k9/', { name: 'com.fsck.k9', kind: 'email' }],
    ['android-app://me.bluemail.mail/', { name: 'me.bluemail.mail', kind: 'email' }],
    [
      'android-app://com.google.android.apps.docs/',
      { name: 'com.google.android.apps.docs', kind: undefined },
    ],
    ['android-app://org.example.notes/', { name: 'org.example.notes', kind: undefined }],
    // a news site is a news site, whichever engine is behind its search box
    ['https://www.cnn.com/2026/', { name: 'cnn.com', kind: undefined }],
    ['http://localhost:8080/', { name: 'localhost', kind: undefined }],
    ['http://[2001:db8::1]:8080/', { name: '[2001:db8::1]', kind: undefined }],
  ])('%s is from %o', (uri, source) => {
    expect(classifyReferrer(uri, 'example.com', nowhere)).toMatchObject({ from: 'elsewhere', source })
  })

  test('two sites below a public suffix are strangers', () => {
    expect(classifyReferrer('https://ann.github.io/', 'ben.github.io', nowhere).from).toBe('elsewhere')
    expect(classifyReferrer('https://ann.github.io/', 'ann.github.io', nowhere).from).toBe('inside')
  })

  test('a host the project calls its own is inside, whatever its domain', () => {
    const own = (host: string) => host === 'shop.example.net'
    expect(classifyReferrer('https://shop.example.net/cart', 'example.com', own).from).toBe('inside')
  })

  test.each(['', '$direct', '(direct)', 'about:blank'])('%o means no one sent the visitor', (text) => {
    expect(classifyReferrer(text, 'example.com', nowhere)).toEqual({ from: 'nowhere' })
  })

  test.each(
    Object.entries(referrerCases.ai_assistants).flatMap(([name, hosts]) => hosts.map((host) => [host, name])),
  )('%s is the AI assistant Matomo calls %s', (host) => {
    const referrer = classifyReferrer(`https://${host}`, 'example.com', nowhere)
    expect(referrer).toMatchObject({ from: 'elsewhere', source: { kind: 'ai' } })
  })
})

/** The traffic of a case as a page and a browser would tell us. */
interface Case {
  source?: string
  referring_domain?: string
  utm_source?: string
  utm_medium?: string
  utm_campaign?: string
  click_id?: string
  gclid?: string
  gad_source?: string
  msclkid?: string
  fbclid?: string
  $current_url?: string
  expected: string
}

const ingest = await anIngestContext()

/** The channel of a visit, by the steps that read the campaign of an event and its source. */
function channelOf(visit: Case, channels: ChannelTable = 'google'): string | undefined {
  const { source: _source, referring_domain: host, click_id: clickId, expected: _, ...properties } = visit
  const rules = compileIngestRules(projectIngestSettings.parse({ channels }))
  const envelope = anEnvelope({ dialect: 'posthog' })
  const event = withProperties({
    $current_url: 'https://example.org/',
    $referrer: host ?? '$direct',
    ...(clickId !== undefined && { [clickId]: 'x' }),
    ...properties,
  })
  const draft = createPipelineDraft(event, envelope)
  readUrl(draft, { envelope, rules, ingest })
  draft.referrer = referrerOf(visit)
  readSource(draft, { envelope, rules, ingest })
  return draft.columns.channel
}

function referrerOf({ source, referring_domain: host }: Case): Referrer {
  if (source) return { from: 'elsewhere', address: '', host: '', source: findSourceByName(source) }
  return classifyReferrer(host && host !== '$direct' ? `https://${host}/` : '', 'example.org', nowhere)
}

/** The cases in which another product's rule is not ours, and why. */
const otherwise: Readonly<Record<string, { channel: string; because: string }>> = {
  'posthog {"referring_domain":"$direct","utm_source":"what","utm_medium":"who","utm_campaign":"slim shady"}':
    {
      channel: 'Unassigned',
      because:
        'Google Analytics calls a campaign it cannot place unassigned; PostHog’s own documentation says so by now, too',
    },
  'posthog {"referring_domain":"","utm_source":"","utm_medium":""}': {
    channel: 'Direct',
    because:
      'PostHog tells "nobody sent the visitor" from "nothing was said", Google Analytics and we do not',
  },
  'posthog {"referring_domain":"x.safeframe.googlesyndication.com","gclid":"EAIa"}': {
    channel: 'Display',
    because:
      'this host shows Google’s display advertisements; PostHog, which does not know it, says "Paid Unknown"',
  },
}

const nameOf = (product: string, { expected: _expected, ...visit }: Case): string => {
  const { stable: _stable, note: _note, ...traces } = visit as Record<string, unknown>
  return `${product} ${JSON.stringify(traces)}`
}

describe('a visit’s channel', () => {
  const cases: [string, Case][] = [
    ...channelCases.plausible.cases.map((visit: Case): [string, Case] => ['plausible', visit]),
    ...channelCases.posthog.cases.map((visit: Case): [string, Case] => ['posthog', visit]),
  ]

  test.each(cases.map(([product, visit]) => [nameOf(product, visit), visit] as const))(
    '%s',
    (name, visit) => {
      const channel = otherwise[name]?.channel ?? visit.expected
      expect(channelOf(visit)).toBe(channel)
    },
  )

  test.each(channelCases.posthog.cases.map((visit: Case) => [nameOf('posthog', visit), visit] as const))(
    'by PostHog’s table: %s',
    (_name, visit) => expect(channelOf(visit, 'posthog')).toBe(visit.expected),
  )

  test.each([
    // PostHog's mediums, and what its documentation says beside them
    [{ utm_source: 'reddit', utm_medium: 'cpc' }, 'Paid Social'],
    [{ utm_medium: 'social', referring_domain: 'example.net' }, 'Organic Social'],
    [{ utm_medium: 'cpm', referring_domain: 'example.net' }, 'Display'],
    [{ utm_medium: 'partnership', referring_domain: 'example.net' }, 'Affiliate'],
    [{ utm_medium: 'web-push', referring_domain: 'example.net' }, 'Push'],
    [{ utm_source: 'newsletter', utm_medium: 'email' }, 'Email'],
    [{ utm_campaign: 'cross-network 1', utm_medium: 'cpc' }, 'Cross Network'],
    [{ utm_campaign: 'my-video-26', utm_medium: 'cpc' }, 'Paid Video'],
    [{ referring_domain: '$direct', fbclid: 'x' }, 'Organic Social'],
    [{ referring_domain: 'chatgpt.com' }, 'AI'],
    [{ utm_source: 'spring', gclid: 'x', referring_domain: '$direct' }, 'Paid Unknown'],
  ])('by PostHog’s table: %o is %s', (visit, channel) => {
    expect(channelOf({ ...visit, expected: channel }, 'posthog')).toBe(channel)
  })

  test.each(['null', 'undefined', 'None', '(not set)'])(
    'is not changed by a campaign that is %o, sent or in the address',
    (text) => {
      const none = { utm_source: text, utm_medium: text, utm_campaign: text, gclid: text, gad_source: text }
      const address = { $current_url: `https://example.org/?${String(new URLSearchParams(none))}` }
      for (const visit of [none, address])
        expect(channelOf({ ...visit, expected: '' }, 'posthog')).toBe('Direct')
    },
  )

  test('is that of the address where the property is a placeholder', () => {
    const visit = { utm_medium: 'null', $current_url: 'https://example.org/?utm_medium=cpc', expected: '' }
    expect(channelOf(visit)).toBe('Paid Other')
  })

  test('every divergence that is listed is one of the cases', () => {
    const names = new Set(cases.map(([product, visit]) => nameOf(product, visit)))
    expect(Object.keys(otherwise).filter((name) => !names.has(name))).toEqual([])
  })

  const from = (acquisition: Partial<ChannelInput>): ChannelInput => ({
    source: '(direct)',
    kind: undefined,
    medium: '(none)',
    campaign: '',
    ...acquisition,
  })

  test.each([
    // Google Analytics' table, a line each, in its order
    ['Cross-network', { campaign: 'spring cross-network 26' }],
    ['Paid Shopping', { kind: 'shopping', source: 'amazon', medium: 'ppc' }],
    ['Paid Shopping', { campaign: 'winter-shopping', medium: 'cpc' }],
    ['Paid Search', { kind: 'search', source: 'google', medium: 'cpc' }],
    ['Paid Search', { kind: 'search', source: 'bing', medium: 'paidsearch' }],
    ['Paid Social', { kind: 'social', source: 'facebook', medium: 'retargeting' }],
    ['Paid Video', { kind: 'video', source: 'youtube', medium: 'cpv' }],
    ['Display', { source: 'x', medium: 'interstitial' }],
    ['Paid Other', { source: 'x', medium: 'paid' }],
    ['Organic Shopping', { kind: 'shopping', source: 'etsy', medium: 'referral' }],
    ['Organic Shopping', { source: 'x', campaign: 'e-shop', medium: 'whatever' }],
    ['Organic Social', { kind: 'social', source: 'reddit', medium: 'referral' }],
    ['Organic Social', { source: 'x', medium: 'social-network' }],
    ['Organic Video', { kind: 'video', source: 'vimeo', medium: 'referral' }],
    ['Organic Video', { source: 'x', medium: 'my-video-ad' }],
    ['Organic Search', { kind: 'search', source: 'kagi', medium: 'organic' }],
    ['Organic Search', { source: 'x', medium: 'organic' }],
    ['Referral', { source: 'x', medium: 'link' }],
    ['Email', { source: 'e-mail', medium: '(not set)' }],
    ['Email', { source: 'x', medium: 'e_mail' }],
    ['Affiliates', { source: 'x', medium: 'affiliate' }],
    ['Audio', { source: 'x', medium: 'audio' }],
    ['SMS', { source: 'sms', medium: '(not set)' }],
    ['Mobile Push Notifications', { source: 'firebase', medium: '(not set)' }],
    ['Mobile Push Notifications', { source: 'x', medium: 'web-notification' }],
    ['Direct', {}],
    ['Direct', { medium: '(not set)' }],
    ['Unassigned', { source: 'x', medium: '(not set)' }],
    // ours, before and after it
    ['AI Assistants', { kind: 'ai', source: 'chatgpt', medium: 'referral' }],
    ['Paid Other', { kind: 'ai', source: 'perplexity.ai', medium: 'cpc' }],
    ['Email', { source: 'weekly-newsletter', medium: '(not set)' }],
    ['Organic Search', { kind: 'search', source: 'google', medium: 'referral' }],
    ['Unassigned', { source: 'x', medium: '(not set)', campaign: 'bishop' }],
  ] as const)('%s: %o', (channel, acquisition) => {
    expect(classifyChannel(from(acquisition))).toBe(channel)
  })

  test('the rules stand in the order of Google’s table', () => {
    const posthogChannels = channelCases.ga4_rules.order.map(([channel]) => channel)
    const contested = from({
      kind: 'search',
      source: 'google',
      medium: 'cpm',
      campaign: 'cross-network shopping',
    })
    expect(classifyChannel(contested)).toBe(posthogChannels[0])
    expect(classifyChannel({ ...contested, campaign: 'shopping' })).toBe(posthogChannels[1])
    expect(classifyChannel({ ...contested, campaign: '' })).toBe(posthogChannels[2])
  })
})

describe('who sent a visitor', () => {
  const bare: AttributionSignals = {
    utmSource: '',
    utmMedium: '',
    utmCampaign: '',
    clickId: '',
    gadSource: '',
    referrer: { from: 'nowhere' },
    recordsReferrer: true,
  }
  const from = (address: string): Pick<AttributionSignals, 'referrer'> => ({
    referrer: classifyReferrer(address, 'example.com', nowhere),
  })

  test.each([
    // a click id of an advertisement says more than the campaign that stands beside it
    [{ clickId: 'gclid', utmSource: 'google', utmMedium: 'pmax' }, 'Google', 'Paid Search'],
    [{ clickId: 'gclid', utmSource: 'google', utmMedium: 'organic' }, 'Google', 'Paid Search'],
    [{ clickId: 'gclid', ...from('https://www.youtube.com/') }, 'YouTube', 'Paid Video'],
    [{ clickId: 'gclid', utmSource: 'youtube', utmMedium: 'referral' }, 'YouTube', 'Paid Video'],
    [{ clickId: 'gclid', utmSource: 'spring-sale', utmMedium: 'banner-1' }, 'spring-sale', 'Paid Search'],
    [{ clickId: 'gbraid', utmSource: 'spring-sale', utmMedium: 'email' }, 'spring-sale', 'Paid Search'],
    [{ clickId: 'gclid', ...from('https://partner.example.net/') }, 'partner.example.net', 'Paid Search'],
    [{ clickId: 'gclid', utmSource: 'google', utmMedium: 'display' }, 'Google', 'Display'],
    [{ clickId: 'gclid', utmSource: 'google', utmCampaign: 'shopping' }, 'Google', 'Paid Shopping'],
    [{ clickId: 'gclid', utmSource: 'facebook' }, 'Facebook', 'Paid Social'],
    [{ clickId: 'msclkid', utmSource: 'spring-sale' }, 'spring-sale', 'Paid Search'],
    [{ clickId: 'ttclid' }, 'TikTok', 'Paid Social'],
    [{ clickId: 'sccid', utmSource: 'spring-sale' }, 'spring-sale', 'Paid Social'],
    // so do the names of advertisements
    [{ utmSource: 'fbad' }, 'Facebook', 'Paid Social'],
    [{ utmSource: 'FBads', utmMedium: 'social' }, 'Facebook', 'Paid Social'],
    [{ utmSource: 'ig_ads' }, 'Instagram', 'Paid Social'],
    [{ utmSource: 'ttads', clickId: 'fbclid' }, 'TikTok', 'Paid Social'],
    [{ utmSource: 'ytad' }, 'YouTube', 'Paid Video'],
    [{ utmSource: 'bing-ads', utmMedium: 'search' }, 'Bing', 'Paid Search'],
    [{ utmSource: 'AdWords', utmMedium: 'text' }, 'Google', 'Paid Search'],
    [{ utmSource: 'threads' }, 'Threads', 'Organic Social'],
    // a link that was passed on with all its query
    [{ clickId: 'gclid', ...from('https://www.reddit.com/') }, 'Reddit', 'Organic Social'],
    [{ clickId: 'gclid', ...from('https://www.bing.com/') }, 'Bing', 'Organic Search'],
    [{ clickId: 'ttclid', ...from('https://news.ycombinator.com/') }, 'Hacker News', 'Organic Social'],
    // every click out of these networks has one
    [{ clickId: 'fbclid', utmSource: 'spring-sale' }, 'spring-sale', 'Unassigned'],
    [{ clickId: 'srsltid' }, 'Google', 'Organic Search'],
  ])('%o is from %s by %s', (traces, source, channel) => {
    expect(attribute({ ...bare, ...traces })).toEqual({ source, channel })
  })

  test.each([
    [{ utmSource: 'chatgpt.com' }, { source: 'ChatGPT', channel: 'AI Assistants' }],
    [
      { utmSource: 'FB', utmMedium: 'Social' },
      { source: 'Facebook', channel: 'Organic Social' },
    ],
    [{ utmSource: 'my partner' }, { source: 'my partner', channel: 'Unassigned' }],
    [{ clickId: 'gclid' }, { source: 'Google', channel: 'Paid Search' }],
    [{ clickId: 'fbclid' }, { source: 'Facebook', channel: 'Organic Social' }],
    [{ referrer: { from: 'unknown' } as const }, { source: '', channel: 'Unassigned' }],
    [
      { referrer: { from: 'inside', address: 'https://example.com/' } as const },
      { source: '', channel: 'Direct' },
    ],
  ])('%o is %o', (traces, acquisition) => {
    expect(attribute({ ...bare, ...traces })).toEqual(acquisition)
  })
})
