import { isbot } from 'isbot'
import type { TrafficKind } from '#events/event'

/**
 * Crawlers for language models, and assistants and agents that read a page on a user's request; by the names that their
 * makers document.
 */
const aiPattern = new RegExp(
  [
    // OpenAI, Anthropic, Google, Microsoft, Meta, Amazon, Apple
    'GPTBot|ChatGPT|OAI-SearchBot|OAI-AdsBot|OpenAI',
    'ClaudeBot|Claude-(?:User|SearchBot|Web)|claude-code|anthropic',
    'Google-CloudVertexBot|Google-(?:Extended|NotebookLM|Agent|Firebase)|GoogleAgent|Gemini-Deep-Research|NotebookLM|GoogleOther',
    'CopilotBot|meta-external(?:agent|fetcher)|meta-webindexer|FacebookBot|Amazonbot|Amzn-(?:SearchBot|User)|NovaAct|bedrockbot',
    'Applebot-Extended',
    // search and assistants
    'Perplexity|DuckAssistBot|MistralAI|YouBot|PhindBot|Andibot|iAskBot|iaskspider|KomoBot|LinerBot|DeepSeek|xAI|Grok|Kimi|Qwen',
    'QuillBot|Manus|Devin|Cursor/|TavilyBot|ExaBot|LinkupBot|PoggioBot|Poseidon|ChatGLM|Character-AI|Bravest|KlaviyoAIBot',
    // corpora and scrapers made for models
    'CCBot|Bytespider|TikTokSpider|Diffbot|cohere|AI2Bot|Ai2Bot|Timpibot|omgili|webzio|PanguBot|ImagesiftBot|img2dataset',
    'Kangaroo Bot|FriendlyCrawler|VelenPublicWebCrawler|ICC-Crawler|Cotoyogi|Firecrawl|Brightbot|Crawl4AI|crawl4ai|aiHitBot|laion',
    'SBIntuitionsBot|ShapBot|TerraCotta|WARDBot|wpbot|YandexAdditional|ZanistaBot|Panscient|QualifiedBot|Datenbank Crawler|Echobo[tx]',
  ].join('|'),
  'i',
)

const feedPattern = new RegExp(
  [
    'Feedly|Feedbin|Feedspot|FeedDemon|FeedBurner|Feedfetcher|FeedParser|feed ?parser|FeedValidator|FeedBlitz|FeedPress|FeedHub',
    'NewsBlur|NetNewsWire|Newsboat|newsbeuter|Inoreader|FreshRSS|Tiny Tiny RSS|tt-rss|Miniflux|CommaFeed|BazQux|theoldreader',
    'Bloglovin|Bloglines|Akregator|Liferea|RSSOwl|RSSRadio|RSS Junkie|RssBandit|RSSBot|QuiteRSS|Fluent Reader|Reeder/|ReadKit|Vienna/',
    'SimplePie|MagpieRSS|Superfeedr|Blogtrottr|selfoss|Yarr|Kriss Feed|rss2email|r2e|Leed|winds|Readwise|NewsGator|Flipboard(?:RSS|Proxy)',
    'Overcast|Podbean|PodcastAddict|Pocket ?Casts|castbox|Podkicker|gPodder|subscribers',
  ].join('|'),
  'i',
)

/** HTTP libraries and tools: the program that uses them may send for a visitor. */
const programPattern =
  /^(?:curl|wget|python|aiohttp|httpx|go-http-client|java|okhttp|apache-httpclient|node|undici|axios|got|deno|bun|guzzlehttp|ruby|faraday|php|dart|rest-client|http\.rb|hackney|req|finch|reqwest|ureq|libwww-perl|lwp|postmanruntime|insomnia|httpie|symfony|winhttp|powershell|mozilla\/5\.0 \(windows nt; windows nt [\d.]+; [\w-]+\) windowspowershell|cpp-httplib|swift|alamofire|cfnetwork|restsharp|elixir|erlang|rust|default_user_agent|lua-resty-http)(?:$|[\s/(-])/i

/** The SDKs of supported dialects: their events come from people. */
const sdkPattern = /^(?:posthog[-/]|tilth|umami|plausible|vercel|mozilla\/5\.0 umami\/|openfeature|ofrep)/i

export interface TrafficClass {
  traffic: TrafficKind
  /** True for HTTP libraries and tools: an id in the request names the visitor they send for. */
  isProgram: boolean
}

/** Classifies a user agent. An empty one is a program. */
export function classifyTraffic(userAgent: string): TrafficClass {
  if (sdkPattern.test(userAgent)) return { traffic: 'human', isProgram: true }
  if (userAgent === '' || programPattern.test(userAgent)) return { traffic: 'bot', isProgram: true }
  if (aiPattern.test(userAgent)) return { traffic: 'ai', isProgram: false }
  if (!isbot(userAgent)) return { traffic: 'human', isProgram: false }
  return { traffic: feedPattern.test(userAgent) ? 'feed' : 'bot', isProgram: false }
}

/** A longer word is not a name. */
const longestName = 40

/** Words of user agents that do not name a robot: pretended browsers, systems and generic terms. */
const genericWords =
  /^(?:mozilla|applewebkit|khtml|gecko|chrome|chromium|safari|mobile|version|firefox|edg|opr|compatible|windows|nt|win64|wow64|macintosh|mac|os|intel|ppc|linux|x11|i686|x86_64|iphone|ipad|cpu|android|build|wv|rv|u|like|bot|robot|crawler|spider|feed|rss|reader|https?|www|[a-z]{2}(?:-[a-z]{2})?)$/i

/**
 * Returns a robot's name: the text that matched a pattern, or the first product that is not a browser. Only letters are
 * kept, so that versions and addresses do not split one robot into many.
 */
export function robotName(userAgent: string): string {
  const identifiedBy = [aiPattern, feedPattern, programPattern]
    .map((names) => names.exec(userAgent))
    .find((found) => found !== null)
  const named = identifiedBy ? productAt(userAgent, identifiedBy.index) : undefined
  return (named ?? productsIn(userAgent).find((name) => !genericWords.test(name)) ?? '').slice(0, longestName)
}

const productsIn = (userAgent: string): string[] =>
  userAgent.match(/[a-z][\w.-]*[a-z]\w*(?=[/;,)\s]|$)/gi) ?? []

/** The whole word around an index: "Claude-SearchBot" where "Claude-" was found. */
function productAt(userAgent: string, index: number): string | undefined {
  const start = userAgent.slice(0, index).search(/[\w-]*$/)
  return /^[a-z][\w.-]*(?: (?:Tiny|RSS|Reader|Bot))*/i
    .exec(userAgent.slice(start))?.[0]
    .replace(/[.-]?\d[\d.]*$/, '')
}
