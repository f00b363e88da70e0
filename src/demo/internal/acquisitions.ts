import { fameOn, growthOn, isCampaignOn, isReleased, siteRhythm, story, weekdayOf } from './story'

/** A source of visitors. */
export interface DemoAcquisition {
  /** The referrer of the browser; absent for visitors who typed the address. */
  referrer?: string
  /** The query of the landing page. */
  query?: string
  /** The advertiser's click id in the address. */
  click?: 'gclid' | 'msclkid' | 'li_fat_id' | 'fbclid' | 'twclid' | 'ttclid' | 'rdt_cid'
  lands: 'home' | 'post' | 'pricing' | 'docs' | 'nowhere'
  /** New visitors on an ordinary day. */
  perDay: number
  /** The factor on the probability of signing up. */
  willing: number
  /** The factor on `perDay` at a day and time. */
  when?: (day: number, at: number) => number
}

const campaign = (day: number): number => (isCampaignOn(day) ? 1 : 0)
const onLetterDays = (_day: number, at: number): number => (weekdayOf(at) === story.letter.weekday ? 5 : 0.25)
const afterRelease = (day: number): number => (isReleased(day) ? 1.6 : 0.8)
/** Visits from AI assistants grow every week. */
const moreAndMore = (day: number): number => 0.3 + (1.4 * day) / story.days

const utm = (source: string, medium: string, name?: string, more = ''): string =>
  `utm_source=${source}&utm_medium=${medium}${name ? `&utm_campaign=${name}` : ''}${more}`

const advertised = story.campaign.name

/** Sources in every channel. */
export const acquisitions: readonly DemoAcquisition[] = [
  { lands: 'home', perDay: 34, willing: 1.2 },
  { lands: 'post', perDay: 6, willing: 0.6 },
  // search
  { referrer: 'https://www.google.com/', lands: 'post', perDay: 26, willing: 0.6 },
  { referrer: 'https://www.google.com/', lands: 'home', perDay: 14, willing: 1.3 },
  { referrer: 'https://www.google.de/', lands: 'home', perDay: 4, willing: 1.1 },
  { referrer: 'https://www.bing.com/', lands: 'home', perDay: 4.5, willing: 1 },
  { referrer: 'https://duckduckgo.com/', lands: 'post', perDay: 4.5, willing: 0.8 },
  { referrer: 'https://www.ecosia.org/', lands: 'home', perDay: 1.4, willing: 1 },
  { referrer: 'https://search.brave.com/', lands: 'docs', perDay: 1.2, willing: 0.7 },
  // assistants
  { referrer: 'https://chatgpt.com/', lands: 'home', perDay: 5.5, willing: 1.9, when: moreAndMore },
  { referrer: 'https://www.perplexity.ai/', lands: 'post', perDay: 2.2, willing: 1.5, when: moreAndMore },
  { referrer: 'https://claude.ai/', lands: 'docs', perDay: 2.4, willing: 1.8, when: moreAndMore },
  { referrer: 'https://gemini.google.com/', lands: 'home', perDay: 1.3, willing: 1.3, when: moreAndMore },
  { referrer: 'https://copilot.microsoft.com/', lands: 'home', perDay: 0.9, willing: 1.2, when: moreAndMore },
  // people talking
  { referrer: 'https://news.ycombinator.com/', lands: 'post', perDay: 1.5, willing: 0.5 },
  { referrer: 'https://news.ycombinator.com/', lands: 'home', perDay: 420, willing: 0.5, when: fameOn },
  { referrer: 'https://www.producthunt.com/', lands: 'home', perDay: 330, willing: 1.3, when: fameOn },
  { referrer: 'https://www.reddit.com/', lands: 'post', perDay: 4, willing: 0.6 },
  { referrer: 'https://www.linkedin.com/', lands: 'post', perDay: 5, willing: 0.9, when: afterRelease },
  { referrer: 'https://t.co/', lands: 'post', perDay: 3.5, willing: 0.6 },
  { referrer: 'https://bsky.app/', lands: 'post', perDay: 2, willing: 0.8 },
  { referrer: 'https://mastodon.social/', lands: 'post', perDay: 1.4, willing: 0.8 },
  { referrer: 'https://m.facebook.com/', click: 'fbclid', lands: 'home', perDay: 2, willing: 0.5 },
  { referrer: 'https://www.youtube.com/', lands: 'home', perDay: 3, willing: 0.9 },
  // sites
  { referrer: 'https://github.com/', lands: 'docs', perDay: 3.5, willing: 1.1 },
  { referrer: 'https://toolsforteams.example/reviews', lands: 'pricing', perDay: 2.6, willing: 1.7 },
  { referrer: 'https://calmwork.example/links', lands: 'home', perDay: 1.8, willing: 1.2 },
  { referrer: 'https://www.alternatives.example/spreadsheets', lands: 'home', perDay: 1.6, willing: 1.4 },
  { referrer: 'https://oldforum.example/t/8142', lands: 'nowhere', perDay: 1.8, willing: 0.2 },
  { referrer: 'https://www.amazon.com/', lands: 'home', perDay: 0.5, willing: 0.4 },
  // letters, and others who know the address already
  {
    query: utm('newsletter', 'email', 'weekly-letter'),
    lands: 'post',
    perDay: 5,
    willing: 1,
    when: onLetterDays,
  },
  { referrer: 'https://mail.google.com/', lands: 'home', perDay: 1.6, willing: 1.2 },
  { query: utm('partner-directory', 'affiliate', 'partners'), lands: 'pricing', perDay: 1.5, willing: 1.5 },
  { query: utm('calm-work-podcast', 'audio', 'episode-41'), lands: 'home', perDay: 0.8, willing: 1.6 },
  { query: utm('sms', 'sms', 'event-reminder'), lands: 'home', perDay: 0.4, willing: 0.9 },
  { query: utm('pinewise-app', 'push', 'come-back'), lands: 'post', perDay: 0.6, willing: 0.6 },
  { query: utm('flyer', 'print', 'meetup'), lands: 'home', perDay: 0.6, willing: 1.1 },
  // advertisements
  {
    referrer: 'https://www.google.com/',
    query: utm('google', 'cpc', advertised, '&utm_term=team+board&utm_content=headline-a'),
    click: 'gclid',
    lands: 'pricing',
    perDay: 34,
    willing: 1.1,
    when: campaign,
  },
  {
    referrer: 'https://www.google.com/',
    query: utm('google', 'cpc', advertised, '&utm_term=kanban+for+teams&utm_content=headline-b'),
    click: 'gclid',
    lands: 'home',
    perDay: 22,
    willing: 0.7,
    when: campaign,
  },
  {
    referrer: 'https://www.linkedin.com/',
    query: utm('linkedin', 'paid_social', advertised, '&utm_content=carousel'),
    click: 'li_fat_id',
    lands: 'home',
    perDay: 14,
    willing: 1,
    when: campaign,
  },
  { query: utm('youtube', 'paid_video', advertised), lands: 'home', perDay: 8, willing: 0.4, when: campaign },
  { query: utm('adnetwork', 'display', advertised), lands: 'home', perDay: 9, willing: 0.2, when: campaign },
  { query: utm('techbrief', 'cpc', 'sponsored-issue'), lands: 'home', perDay: 0.9, willing: 0.8 },
  { query: utm('google', 'cpc', 'cross-network-always-on'), lands: 'home', perDay: 0.9, willing: 0.8 },
  {
    query: utm('google', 'cpc', 'shopping-templates'),
    click: 'gclid',
    lands: 'pricing',
    perDay: 0.6,
    willing: 0.7,
  },
  {
    referrer: 'https://www.bing.com/',
    query: utm('bing', 'cpc', 'brand'),
    click: 'msclkid',
    lands: 'home',
    perDay: 1.2,
    willing: 1.3,
  },
]

/** Returns the expected number of new visitors from a source on a day. */
export function expectedOn(acquisition: DemoAcquisition, day: number, at: number): number {
  const { perDay, when } = acquisition
  return perDay * growthOn(day) * siteRhythm(at) * (when?.(day, at) ?? 1)
}
