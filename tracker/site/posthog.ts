/** The options of posthog-js that matter here. */
interface Options {
  api_host: string
  bootstrap: object
  persistence: 'memory'
  capture_pageview: false
  capture_pageleave: false
  disable_session_recording: true
}

const tag = document.currentScript as HTMLScriptElement

/** Filled in by the server, for this visitor. */
const decided = (): object =>
  JSON.parse(document.getElementById('tilth-visit')?.textContent || '{}') as object

/**
 * Begins posthog-js with everything that was decided for the page: it has no reason to ask, and nothing to change. Views
 * are counted by the server, and who the visitor is is its knowledge as well.
 */
function start(): void {
  const { posthog } = window as { posthog?: { init(key: string, options: Options): void } }
  posthog?.init(tag.dataset.project ?? '', {
    api_host: new URL(tag.src).origin,
    bootstrap: decided(),
    persistence: 'memory',
    capture_pageview: false,
    capture_pageleave: false,
    disable_session_recording: true,
  })
}

const library = document.createElement('script')
library.src = new URL('/static/array.js', tag.src).href
library.addEventListener('load', start)
document.head.append(library)
