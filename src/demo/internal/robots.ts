/** A crawler. The site's server reports its requests, because crawlers do not run scripts. */
export interface DemoRobot {
  agent: string
  /** The network of its addresses. */
  network: string
  perDay: number
  reads: 'anything' | 'posts' | 'feed' | 'documentation'
  /** The daily growth. */
  grows?: number
}

export const robots: readonly DemoRobot[] = [
  {
    agent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)',
    network: '64.161.56',
    perDay: 14,
    reads: 'anything',
    grows: 0.015,
  },
  {
    agent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
    network: '109.105.220',
    perDay: 9,
    reads: 'documentation',
    grows: 0.02,
  },
  {
    agent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
    network: '54.25.100',
    perDay: 11,
    reads: 'anything',
    grows: 0.01,
  },
  {
    agent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
    network: '32.229.72',
    perDay: 6,
    reads: 'posts',
    grows: 0.012,
  },
  { agent: 'CCBot/2.0 (https://commoncrawl.org/faq/)', network: '68.180.20', perDay: 3, reads: 'anything' },
  {
    agent:
      'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)',
    network: '52.76.208',
    perDay: 5,
    reads: 'anything',
  },
  {
    agent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    network: '156.1.132',
    perDay: 18,
    reads: 'anything',
  },
  {
    agent: 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    network: '56.100.224',
    perDay: 9,
    reads: 'anything',
  },
  {
    agent: 'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
    network: '159.65.136',
    perDay: 8,
    reads: 'posts',
  },
  {
    agent: 'Mozilla/5.0 (compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
    network: '63.123.196',
    perDay: 12,
    reads: 'anything',
  },
  {
    agent: 'Feedly/1.0 (+http://www.feedly.com/fetcher.html; 41 subscribers)',
    network: '165.126.228',
    perDay: 8,
    reads: 'feed',
  },
  {
    agent: 'NetNewsWire (RSS Reader; https://netnewswire.com/)',
    network: '107.110.164',
    perDay: 5,
    reads: 'feed',
  },
  {
    agent: 'Mozilla/5.0 (compatible; Miniflux/2.2.12; +https://miniflux.app)',
    network: '91.32.104',
    perDay: 6,
    reads: 'feed',
  },
  {
    agent: 'Mozilla/5.0 (compatible; inoreader.com; 12 subscribers)',
    network: '80.113.196',
    perDay: 4,
    reads: 'feed',
  },
]
