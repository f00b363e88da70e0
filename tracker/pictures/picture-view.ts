/**
 * The script of the document in which a client of MCP shows a picture: it speaks the dialect of MCP Apps with the client,
 * shows the markup that a tool's result carries, and asks nothing of any network.
 * https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */

interface HostContext {
  theme?: 'light' | 'dark'
}

interface ToolResult {
  content?: { type: string; text?: string }[]
  structuredContent?: { sentence?: string; link?: string }
  isError?: boolean
  _meta?: Record<string, unknown>
}

interface HostMessage {
  jsonrpc?: string
  id?: number | string
  method?: string
  params?: unknown
  result?: { hostContext?: HostContext }
}

const revision = '2026-01-26'
const initializing = 1
let lastId = initializing

const sendToClient = (message: object): void => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
const notify = (method: string, params: object = {}): void => sendToClient({ method, params })
const request = (method: string, params: object): void => sendToClient({ id: ++lastId, method, params })

const main = document.querySelector('main') ?? document.body

addEventListener('message', ({ source, data: message }: MessageEvent<HostMessage>) => {
  if (source !== parent || message?.jsonrpc !== '2.0') return
  const { id, method, params, result } = message
  if (method === undefined) {
    if (id === initializing) begin(result?.hostContext)
  } else if (id !== undefined) {
    // "ping", and "ui/resource-teardown" at the end: nothing is kept here
    sendToClient({ id, result: {} })
  } else receive(method, params)
})

function begin(context: HostContext | undefined): void {
  wear(context)
  notify('ui/notifications/initialized')
  new ResizeObserver(tellSize).observe(document.documentElement)
}

function receive(method: string, params: unknown): void {
  // the client sends what the specification says of each
  if (method === 'ui/notifications/tool-result') show(params as ToolResult)
  else if (method === 'ui/notifications/host-context-changed') wear(params as HostContext)
  else if (method === 'ui/notifications/tool-cancelled') showWords('The question was cancelled.')
}

function wear(context: HostContext | undefined): void {
  const { theme } = context ?? {}
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme
}

function tellSize(): void {
  const { width, height } = document.documentElement.getBoundingClientRect()
  notify('ui/notifications/size-changed', { width: Math.ceil(width), height: Math.ceil(height) })
}

function show(result: ToolResult): void {
  const markup = result['_meta']?.['tilth/picture']
  if (typeof markup === 'string') showMarkup(markup)
  else if (result.isError) showWords(...(result.content ?? []).map(({ text }) => text ?? ''))
  else showWithoutPicture(result)
}

/** A parsed document runs nothing, and neither do nodes that are taken from it. */
function showMarkup(markup: string): void {
  const parsed = new DOMParser().parseFromString(markup, 'text/html')
  main.replaceChildren(...parsed.body.childNodes)
}

function showWords(...texts: string[]): void {
  main.replaceChildren(
    ...texts.map((text) => Object.assign(document.createElement('p'), { textContent: text })),
  )
}

function showWithoutPicture({ structuredContent }: ToolResult): void {
  showWords(structuredContent?.sentence ?? 'This answer has no picture.')
  const link = structuredContent?.link
  if (link === undefined) return
  const page = Object.assign(document.createElement('a'), { href: link, textContent: 'Open in Tilth' })
  page.className = 'underline'
  main.append(page)
}

/** A frame in a sandbox opens nothing itself: the client asks the person. */
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link) return
  event.preventDefault()
  if (/^https?:$/.test(link.protocol)) request('ui/open-link', { url: link.href })
})

/** A table that is wider than its box scrolls by keyboard while it is seen. */
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement && target.matches('.as-table'))) return
  for (const table of target.closest('.chart-frame')?.querySelectorAll('.chart-table') ?? [])
    if (target.checked) table.setAttribute('tabindex', '0')
    else table.removeAttribute('tabindex')
})

sendToClient({
  id: initializing,
  method: 'ui/initialize',
  params: { protocolVersion: revision, appInfo: { name: 'tilth', version: '1' }, appCapabilities: {} },
})
