import { script } from '../tilth/delivery'
import { record, tilth, turnPage, watchPage } from '../tilth/page'
import { pageLoad } from '../vitals'
import { followLinks, pageOf, prefetchAt } from './navigation'

/** Without a key the page is one that nobody is to be counted on: a preview, or a page that is tried out. */
const isMeasured = script.dataset.project !== undefined

/** Whether the server has counted the view that begins. */
let isCounted = wasCounted()

/** A document out of the browser's own cache came without the server hearing of it. Old browsers cannot tell. */
function wasCounted(): boolean {
  const { serverTiming, transferSize, responseStatus } = pageLoad()
  if (responseStatus !== 200 || !serverTiming) return true
  return transferSize !== 0 && serverTiming.some(({ name }) => name === 'view')
}

/** One of a flag's values that came into view. */
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
  form: 'form[action^="/_tilth/forms/"]',
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
  window.tilth = tilth
  watchPage(() => {
    const isNew = !isCounted
    isCounted = false
    return isNew
  }, false)
}
followLinks({
  leaving(page) {
    isCounted = page.isCounted
    page.isCounted = false
    turnPage(true)
    for (const [flag, value] of new URLSearchParams(page.shows)) tell('called', flag, value)
    page.shows = ''
  },
  arrived: begin,
})
// the script may be here before the page is
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', begin)
else begin()
