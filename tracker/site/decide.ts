import { loadPage, showPage } from './document'

/** The page for one combination of flag values. */
interface PageVariant {
  /** The file of the page; absent for the original, which is this document. */
  file?: string
  /** The flags that it shows. */
  uses: string[]
}

/** The differences of the page by flags, as `tilth publish --static` has written them into the tag. */
interface PageDecisions {
  project: string
  server: string
  keys: string[]
  /** By the values of the keys, as JSON. */
  variants: Record<string, PageVariant>
}

type Flags = Record<string, boolean | string>

/** The longest time for which a page is hidden; then the original is shown. */
const hiddenMs = 1000
/** A visitor's decisions hold for this long without asking again. */
const keptMs = 300e3

const tag = document.currentScript as HTMLScriptElement
const page = JSON.parse(tag.dataset.page ?? '{}') as PageDecisions
const root = document.documentElement

let isLate = false
const show = (): unknown => (root.style.visibility = '')

function keptFlags(): { at: number; flags: Flags } {
  try {
    return JSON.parse(sessionStorage.tilth_flags || '{"at":0,"flags":{}}')
  } catch {
    return { at: 0, flags: {} }
  }
}

async function findFlags(): Promise<Flags> {
  const { at, flags } = keptFlags()
  const isKept = Date.now() - at < keptMs
  if (isKept && page.keys.every((key) => key in flags)) return flags
  const address = new URL('decisions', page.server)
  address.search = String(new URLSearchParams({ key: page.project, flags: page.keys.join() }))
  const response = await fetch(address)
  if (!response.ok) throw response.status
  const decided = ((await response.json()) as { flags: Flags }).flags
  const found = { ...(isKept && flags), ...decided }
  try {
    sessionStorage.tilth_flags = JSON.stringify({ at: isKept ? at : Date.now(), flags: found })
  } catch {
    // blocked: asked again on the next page
  }
  return found
}

const documentIsHere = new Promise<void>((resolve) => {
  addEventListener('DOMContentLoaded', () => resolve())
})

/** Shows the variant of this visitor and returns what it shows, for the exposures. */
async function decide(): Promise<string> {
  const flags = await findFlags()
  const variant = page.variants[JSON.stringify(page.keys.map((key) => flags[key] ?? false))]
  // a value that came after the page was published: the page is the original, and shows nothing of it
  if (!variant) return ''
  if (variant.file) {
    const html = await (await fetch(variant.file)).text()
    await documentIsHere
    if (isLate) return ''
    showPage(await loadPage(html))
  }
  const shown = variant.uses.filter((key) => key in flags).map((key) => [key, String(flags[key])])
  return isLate && variant.file ? '' : String(new URLSearchParams(shown))
}

root.style.visibility = 'hidden'
setTimeout(() => {
  isLate = true
  show()
}, hiddenMs)
async function begin(): Promise<void> {
  let shows = ''
  try {
    shows = await decide()
  } catch {
    // Tilth is away: the page is the original
  }
  show()
  await documentIsHere
  root.dataset.shows = shows
  // written as on other pages, which then stand in this document as well
  const script = document.createElement('script')
  const attributes = { async: '', src: '/_tilth/site-files.js', 'data-project': page.project }
  for (const [name, value] of Object.entries({ ...attributes, 'data-server': page.server }))
    script.setAttribute(name, value)
  document.head.append(script)
}

void begin()
