import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { CallToolResult } from '@modelcontextprotocol/client'

/** The page of a client of MCP that shows apps, with the official bridge; the test tells it what was answered. */
interface ShownApp {
  html: string
  input: Record<string, unknown>
  result: CallToolResult
  theme: 'light' | 'dark'
}

const opened: string[] = []
let bridge: AppBridge | undefined

async function show({ html, input, result, theme }: ShownApp): Promise<void> {
  await bridge?.close()
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.title = 'App'
  frame.style.cssText = 'border: 0; width: 100%; height: 100px'
  document.body.replaceChildren(frame)
  const view = frame.contentWindow
  if (!view) throw new Error('The frame has no window.')
  const next = new AppBridge(
    null,
    { name: 'test', version: '1' },
    { openLinks: {} },
    { hostContext: { theme } },
  )
  next.addEventListener('sizechange', ({ height }) => {
    if (height !== undefined) frame.style.height = `${height}px`
  })
  next.onopenlink = ({ url }) => {
    opened.push(url)
    return Promise.resolve({})
  }
  next.addEventListener('initialized', () => {
    void next.sendToolInput({ arguments: input })
    void next.sendToolResult(result)
  })
  bridge = next
  await next.connect(new PostMessageTransport(view, view))
  frame.srcdoc = html
}

Object.assign(window, {
  pictureHost: { show, opened, setTheme: (theme: 'light' | 'dark') => bridge?.setHostContext({ theme }) },
})

export interface PictureHost {
  show: typeof show
  opened: string[]
  setTheme: (theme: 'light' | 'dark') => void
}
