import type { Site } from './site'

/** Crawlers that collect text for language models, by the names that they look for in robots.txt. */
export const aiCrawlers = [
  'AI2Bot',
  'Amazonbot',
  'anthropic-ai',
  'Applebot-Extended',
  'Bytespider',
  'CCBot',
  'ChatGPT-User',
  'Claude-SearchBot',
  'Claude-User',
  'ClaudeBot',
  'cohere-ai',
  'cohere-training-data-crawler',
  'Diffbot',
  'DuckAssistBot',
  'FacebookBot',
  'Google-CloudVertexBot',
  'Google-Extended',
  'GPTBot',
  'Meta-ExternalAgent',
  'Meta-ExternalFetcher',
  'MistralAI-User',
  'OAI-SearchBot',
  'omgili',
  'PanguBot',
  'Perplexity-User',
  'PerplexityBot',
  'PetalBot',
  'Timpibot',
  'YouBot',
] as const

/** Paths that need a session, or list the same content in another order. */
const disallowedPaths = ['/studio/', '/share/', '/api/', '/blog/search', '/blog/seen/']

/** The paths of a site of files that robots skip: other forms of pages that stand at their own addresses. */
const disallowedFiles = ['/_tilth/variants/']

export function robots(site: Pick<Site, 'origin' | 'refusesAiCrawlers' | 'staticServer'>): string {
  const paths = site.staticServer === undefined ? disallowedPaths : disallowedFiles
  const everybody = ['User-agent: *', ...paths.map((path) => `Disallow: ${path}`)]
  const refused = [...aiCrawlers.map((name) => `User-agent: ${name}`), 'Disallow: /']
  const groups = [
    everybody,
    ...(site.refusesAiCrawlers ? [refused] : []),
    [`Sitemap: ${site.origin}/sitemap.xml`],
  ]
  return `${groups.map((lines) => lines.join('\n')).join('\n\n')}\n`
}
