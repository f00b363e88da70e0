import type { Tilth } from '../tilth'
import { script, store } from '../tilth/delivery'
import { record, referrer, tilth, turnPage, url as viewedUrl, watchPage } from '../tilth/page'
import { pageLoad } from '../vitals'
import { pageIn } from './document'
import { fetchAhead } from './fetched'
import { followLinks, pageOf, prefetchAt } from './navigation'

/** A page without a key is not measured: it is a preview, or one that is tried out. */
const isMeasured = script.dataset.project !== undefined

/** Whether the pages are files of a server that counts nothing: set by the build. */
declare const AS_FILES: boolean

/** Whether the server has counted the view that begins. */
let isCounted = AS_FILES ? !!document.querySelector('[data-tilth-404]') : wasCounted()

/** A document out of the browser's own cache came without the server hearing of it. Old browsers cannot tell. */
function wasCounted(): boolean {
  const { serverTiming, transferSize, responseStatus } = pageLoad()
  if (responseStatus !== 200 || !serverTiming) return true
  return transferSize !== 0 && serverTiming.some(({ name }) => name === 'view')
}

/** The flag values that the page shows and that were not reported yet. */
let shown = ''

/** The flags that came into view. */
let seen: Record<string, unknown> = {}

function tell(what: string, flag: string, value?: string): void {
  if (isMeasured) record(`$feature_flag_${what}`, { $feature_flag: flag, $feature_flag_response: value })
}

function see({ dataset: { flag = '', variant } }: HTMLElement): void {
  if (!seen[flag]) tell('seen', flag, variant)
  seen[flag] = true
}

const looking = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue
    looking.unobserve(target)
    const url = target instanceof HTMLAnchorElement && pageOf(target)
    if (url) prefetchAt(url)
    if (target.matches('[data-flag]')) see(target as HTMLElement)
  }
})

/** Parts that are loaded where a page has something for them: what each is for, and what it is begun by. */
const parts = {
  embed: '[data-embed]',
  code: 'pre',
  diagram: '[data-language=mermaid]',
  form: 'form[action^="/_tilth/forms/"]',
  islands: 'tilth-island',
  'survey-form': '[data-tilth-survey-form]',
  surveys: 'script[data-surveys]',
}

const loadPart = (name: string): Promise<{ begin?: () => void }> =>
  import(new URL(`part-${name}.js`, script.src).href)

function begin(): void {
  seen = {}
  looking.disconnect()
  for (const element of document.querySelectorAll('a[href], [data-flag]')) looking.observe(element)
  for (const [name, selector] of Object.entries(parts)) {
    if (!document.querySelector(selector)) continue
    // without it the page is as it is without scripts
    loadPart(name).then(
      (part) => part.begin?.(),
      () => {},
    )
  }
}

if (isMeasured) {
  // the server decides the flags of a site's pages
  window.tilth = tilth as Tilth
  watchPage(() => {
    const isNew = !isCounted
    isCounted = false
    if (!AS_FILES && isNew && !store.tilth_off) void tellServer()
    return AS_FILES && isNew
  }, AS_FILES)
  if (AS_FILES) tellShown(document.documentElement.dataset.shows)
}

/**
 * Has the server count a view of a page that came without asking it, by a request for the head of that page: blockers of
 * events stop no page. The script counts it itself where the server does not.
 */
async function tellServer(): Promise<void> {
  const viewed = viewedUrl
  const headers = { 'x-tilth-shown': referrer }
  const answer = await fetch(viewed, { method: 'HEAD', cache: 'no-store', headers }).catch(() => {})
  if (answer?.headers.get('server-timing') || viewed !== viewedUrl) return
  record('$pageview')
  tellShown(shown)
}

/** Reports what a page shows of flags, where the server has not. */
function tellShown(shows?: string): void {
  for (const [flag, value] of new URLSearchParams(shows)) tell('called', flag, value)
}

followLinks({
  leaving(page) {
    isCounted = page.isCounted
    page.isCounted = false
    if (!AS_FILES) shown = page.shows
    turnPage(true)
    if (AS_FILES) tellShown(page.shows)
    page.shows = ''
  },
  arrived: begin,
})
/** A style sheet that fails to load was usually replaced by an upgrade: the page as it is now names the new one. */
function replaceLostStyles(): void {
  const styles = document.querySelectorAll<HTMLLinkElement>('[rel=stylesheet][href^="/_next/"]')
  if ([...styles].some(isLost)) void fetchAhead(location.href).then(({ html }) => pageIn(html))
}

function isLost({ sheet }: HTMLLinkElement): boolean {
  try {
    return !sheet?.cssRules.length
  } catch {
    // of a sheet of ours only where it did not load
    return true
  }
}

if (document.readyState === 'complete') replaceLostStyles()
else addEventListener('load', replaceLostStyles)

// the script may be here before the page is
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', begin)
else begin()
