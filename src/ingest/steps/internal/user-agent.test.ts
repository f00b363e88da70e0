import { describe, expect, test } from 'vitest'
import { expectLinear } from '#test/running/growth'
import agents from '#test/vectors/useragents.json'
import { classifyTraffic } from '../robots'
import { parseUserAgent } from './user-agent'

describe('robots', () => {
  test.each([
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.1; +https://openai.com/gptbot)',
      'GPTBot',
    ],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
      'ClaudeBot',
    ],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
      'ChatGPT-User',
    ],
    ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'bingbot'],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36',
      'HeadlessChrome',
    ],
    ['Feedly/1.0 (+http://www.feedly.com/fetcher.html; 12 subscribers)', 'Feedly'],
    ['Tiny Tiny RSS/23.05 (https://tt-rss.org/)', 'Tiny Tiny RSS'],
    ['python-requests/2.31.0', 'python-requests'],
    ['', ''],
  ])('%s is called %s', (ua, name) =>
    expect(parseUserAgent(ua)).toMatchObject({ browser: name, browserVersion: '' }),
  )

  test('at least 99 of 100 crawlers are told', () => {
    const missed = agents.bots.filter(({ ua }) => classifyTraffic(ua).traffic === 'human')
    expect(missed.length / agents.bots.length).toBeLessThanOrEqual(1 - agents.acceptance.bots_recall_min)
  })

  test('no browser is taken for one', () => {
    const mistaken = agents.browsers
      .filter(({ ua }) => classifyTraffic(ua).traffic !== 'human')
      .map(({ ua }) => ua)
    expect(mistaken).toEqual([])
  })

  test.each(agents.ai_and_tools)('$ua', ({ ua, bot }) =>
    expect(classifyTraffic(ua).traffic !== 'human').toBe(bot),
  )

  test.each([
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
      'ai',
    ],
    ['Mozilla/5.0 (compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)', 'ai'],
    ['Mozilla/5.0 (compatible; bytespider; https://zhanzhang.toutiao.com/)', 'ai'],
    ['Mozilla/5.0 (compatible; Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot)', 'ai'],
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'bot'],
    ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'bot'],
    ['Feedly/1.0 (+http://www.feedly.com/fetcher.html; 12 subscribers)', 'feed'],
    ['NetNewsWire (RSS Reader; https://netnewswire.com/)', 'feed'],
    ['Tiny Tiny RSS/23.05 (https://tt-rss.org/)', 'feed'],
    ['posthog-node/5.70.0', 'human'],
    ['posthog-python/3.8.3', 'human'],
    ['Mozilla/5.0 Umami/24.1.0', 'human'],
  ])('%s is %s', (ua, traffic) => expect(classifyTraffic(ua).traffic).toBe(traffic))
})

/** The names of ua-parser's families that PostHog's SDKs, whose words these are, use others for. */
const inOurWords: Readonly<Record<string, string>> = {
  'Chrome Mobile': 'Chrome',
  'Chrome Mobile iOS': 'Chrome iOS',
  'Chrome Mobile WebView': 'Chrome',
  'Mobile Safari UI/WKWebView': 'Mobile Safari',
  'Firefox Mobile': 'Firefox',
  Edge: 'Microsoft Edge',
  'Edge Mobile': 'Microsoft Edge',
  IE: 'Internet Explorer',
  'IE Mobile': 'Internet Explorer Mobile',
  Facebook: 'Facebook Mobile',
  'DuckDuckGo Mobile': 'DuckDuckGo',
  'QQ Browser Mobile': 'QQ Browser',
  Google: 'Google Search App',
}

/** Families with so few users that they are counted as what they are made of. */
const countedAs: Readonly<Record<string, string>> = {
  Iron: 'Chrome',
  AtContent: 'Chrome',
  'Hola Browser': 'Chrome',
  'Vewd Browser': 'Chrome',
  'AOL Desktop Gold Browser': 'Chrome',
  Unique: 'Chrome',
  Odin: 'Chrome',
  Crosswalk: 'Chrome',
  mDolphin: 'Chrome',
  CitizenFX: 'Chrome',
  'Mypal Browser': 'Firefox',
  Camoufox: 'Firefox',
  BoxNotes: 'Electron',
  'NetFront NX': 'Nintendo Browser',
  'Chrome Frame': 'Internet Explorer',
  'Windows Live Mail': 'Internet Explorer',
  Rekonq: 'Safari',
  '1Password': 'Mobile Safari',
  'Google-HTTP-Java-Client': 'Android Mobile',
}

/** Families that are programs, for which it matters only that none is a browser; all others show pages to people. */
const programs =
  /Outlook|ArcGIS|WeltMobile|Nextcloud|Ovi|ThunderBrowse|CardDAV|PyAMF|okhttp|CFNetwork|Axel|minio|CryptoAPI|Eureka|axios|lftp|aria2|fetchurl|ONE Browser|iRAPP|Sophos|jupdate|WordPress|Other|Pinterest|Wii|Kindle|Xenu|WebZIP|VSE|Spider|spider|Crawl|crawl|bot|Bot|Robot/

describe('browsers', () => {
  const shown = agents.uap_ua.filter(
    ({ user_agent_string: ua, family }) => classifyTraffic(ua).traffic === 'human' && !programs.test(family),
  )

  test.each(shown.map(({ user_agent_string: ua, family, major }) => [family, major ?? '', ua] as const))(
    '%s %s: %s',
    (family, major, ua) => {
      const { browser, browserVersion } = parseUserAgent(ua)
      const counted = countedAs[family]
      expect(browser).toBe(counted ?? inOurWords[family] ?? family)
      const isOldSafari = browserVersion === '' && ua.startsWith('Safari/')
      if (counted === undefined && !isOldSafari && !known.has(ua)) expect(browserVersion).toBe(major)
    },
  )

  /** User agents whose version stands in an unusual place. */
  const known = new Set([
    'HTC MAX 4G Opera/9.5 (Microsoft Windows; PPC; Opera Mobi/1409; U; ru)',
    'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/8.0; .NET4.0C; .NET4.0E; .NET CLR 2.0.50727; .NET CLR 3.0.30729; .NET CLR 3.5.30729)',
  ])
})

const android =
  'Mozilla/5.0 (Linux; Android 13; SM-S901B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/120.0.0.0 Mobile Safari/537.36'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'
const windows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0'

describe('apps and forks', () => {
  test.each([
    ['TikTok', '32', `${iphone} musical_ly_32.1.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/de`],
    ['TikTok', '', `${android} trill_2023209050 JsSdk/1.0 NetType/WIFI AppName/trill`],
    ['TikTok', '', `${android} BytedanceWebview/d8a21c6`],
    ['Brave', '120', `${windows} Safari/537.36 Brave/120`],
    [
      'Brave',
      '83',
      `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Brave Chrome/83.0.4103.116 Safari/537.36`,
    ],
    ['Yandex App', '23', `${android} YaApp_Android/23.30.1/apad YaSearchBrowser/23.30.1`],
    ['Yandex App', '107', `${iphone} YaApp_iOS/107.00 Safari/604.1`],
    ['UC Browser', '7', `${windows} UBrowser/7.0.185.1002 Safari/537.36`],
    ['Reddit', '2023', `${iphone} Reddit/Version 2023.45.0/Build 614973/iOS`],
    ['Telegram', '10', `${android} Telegram-Android/10.2.9 (Samsung SM-S901B; Android 13; SDK 33; HIGH)`],
    // the same words in a model's name or as a part of another
    [
      'Chrome',
      '120',
      `Mozilla/5.0 (Linux; Android 13; Brave 5) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36`,
    ],
    ['Chrome', '120', `${windows} Safari/537.36`],
  ])('%s %s: %s', (browser, browserVersion, ua) =>
    expect(parseUserAgent(ua)).toMatchObject({ browser, browserVersion }),
  )
})

describe('systems and devices', () => {
  test.each([
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
      'Mac OS X',
      '10',
      'Desktop',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
      'iOS',
      '17',
      'Mobile',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
      'iOS',
      '16',
      'Tablet',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      'Windows',
      '10',
      'Desktop',
    ],
    ['Mozilla/5.0 (Windows NT 6.1; WOW64; rv:52.0) Gecko/20100101 Firefox/52.0', 'Windows', '7', 'Desktop'],
    [
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      'Chrome OS',
      '14541',
      'Desktop',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Linux', '', 'Desktop'],
    [
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
      'Android',
      '14',
      'Mobile',
    ],
    [
      'Mozilla/5.0 (Linux; Android 13; SM-X700) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      'Android',
      '13',
      'Tablet',
    ],
    [
      'Mozilla/5.0 (PlayStation 5 5.10) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15',
      'PlayStation',
      '5',
      'Console',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
      'Xbox',
      '',
      'Console',
    ],
    [
      'Mozilla/5.0 (SMART-TV; Linux; Tizen 7.0) AppleWebKit/537.36 (KHTML, like Gecko) Version/7.0 TV Safari/537.36',
      'Tizen',
      '7',
      'TV',
    ],
    [
      'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/94.0.4606.128 Safari/537.36',
      'webOS',
      '',
      'TV',
    ],
    [
      'Mozilla/5.0 (Linux; Android 9; AFTMM Build/PS7233; wv) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/100.0.0.0 Mobile Safari/537.36',
      'Android',
      '9',
      'TV',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64; Quest 2) AppleWebKit/537.36 (KHTML, like Gecko) OculusBrowser/26.2.0.0.10 SamsungBrowser/4.0 Chrome/110.0.5481.192 VR Safari/537.36',
      'Android',
      '',
      'Desktop',
    ],
  ])('%s', (ua, os, osVersion, device) => expect(parseUserAgent(ua)).toMatchObject({ os, osVersion, device }))

  /** ua-parser's families of systems that are ours under another name, or not told apart. */
  const systems: Readonly<Record<string, string>> = {
    WatchOS: 'watchOS',
    'BlackBerry OS': 'BlackBerry',
    'BlackBerry Tablet OS': 'BlackBerry',
    'Symbian OS': 'Symbian',
    'Symbian^3': 'Symbian',
    'Symbian^3 Belle': 'Symbian',
    GoogleTV: 'Google TV',
    'ATV OS X': 'tvOS',
    Web0S: 'webOS',
    'Chromecast Android': 'Chromecast',
    'Chromecast SmartSpeaker': 'Chromecast',
    'Chromecast Linux': 'Chromecast',
    Sailfish: 'Sailfish OS',
    Debian: 'Linux',
    Ubuntu: 'Linux',
    Mandriva: 'Linux',
    Gentoo: 'Linux',
    Kindle: 'Linux',
  }
  const widespread = new Set([
    ...Object.values(systems),
    'Windows',
    'Mac OS X',
    'iOS',
    'Android',
    'Chrome OS',
    'Linux',
    'KaiOS',
  ])

  test('ua-parser sees the same systems, where they are in use', () => {
    const cases = agents.uap_os.map(({ user_agent_string: ua, family }) => ({
      ua,
      wanted: systems[family] ?? family,
    }))
    const differing = cases
      .filter(({ ua, wanted }) => widespread.has(wanted) && parseUserAgent(ua).os !== wanted)
      .map(({ ua, wanted }) => `${wanted}: ${ua}`)
    expect(differing).toEqual(knownToDiffer)
  })

  /** A Kindle of 2011 is a Fire tablet to us; programs that carry a system's name in words of their own are no devices. */
  const knownToDiffer = [
    expect.stringContaining('Android: Mozilla/5.0 (Linux; U; en-us; KFTT'),
    expect.stringContaining('Android: Mozilla/5.0 (Linux; U; en-us; KFOT'),
    expect.stringContaining('MacOutlook/'),
    expect.stringContaining('Safari5531.21.10 CFNetwork'),
    expect.stringContaining('AdobeAIR/2.5.1'),
    expect.stringContaining('CitrixChromeApp'),
  ]

  test('no telephone or tablet is taken for a desktop', () => {
    const mistaken = agents.uap_device.filter(
      ({ user_agent_string: ua }) => parseUserAgent(ua).device === 'Desktop',
    )
    expect(mistaken.map(({ family }) => family)).toEqual([])
  })

  test('the text of a user agent is never a name in what is read of it', () => {
    const made = agents.browsers
      .map(({ ua }) => parseUserAgent(ua))
      .filter(({ browser, os }) => /[/;(]/.test(browser + os))
    expect(made).toEqual([])
  })

  test.each([
    'Android Mobile OPR ',
    'FBAN ',
    'Opera Mini/',
    'BlackBerry ',
    'Series ',
    '((',
    'Mozilla/5.0 ',
    'bot',
    '; ',
    'a ',
  ])('a text of nothing but %j takes no longer than it is', async (word) => {
    let texts = 0
    await expectLinear((size) => {
      // a text that was parsed before is not parsed again
      const text = `${texts++} ${word.repeat(size)}`.slice(0, size)
      return () => parseUserAgent(text)
    }, 4096)
  })
})
