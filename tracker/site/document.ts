/**
 * Styles, scripts and embeds that this document lacks need a document of their own: the policy of this one covers only
 * those that came with it.
 */
const own = (html: string): string[] =>
  html.match(/<style[^]*?<\/style>|<script[^>]* src=[^>]*>|data-embed="https:..[^/"]*/g) || []
let allowed: string[] | undefined

const inHead = (page: Document): Element[] => [...page.head.querySelectorAll(':not(script)')]

/** The elements of `list` that `other` lacks. */
const lacking = (list: Element[], other: Element[]): Element[] =>
  list.filter((element) => !other.some((same) => same.isEqualNode(element)))

/** The page, once what it is styled by is here. Throws where it cannot stand in this document. */
export async function pageIn(html: string): Promise<Document> {
  allowed ??= own(document.documentElement.outerHTML)
  // looked at as a text: a parser would be held to the policy already
  if (!own(html).every((part) => allowed?.includes(part))) throw html
  return loadPage(html)
}

/** The same for a page that this document may show, whatever is in it. */
export async function loadPage(html: string): Promise<Document> {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const weight = ({ documentElement }: Document): string | undefined => documentElement.dataset.weight
  if (weight(page) !== weight(document)) throw page
  const styles = lacking(inHead(page), inHead(document)).filter((element) =>
    element.matches('[rel=stylesheet]'),
  )
  await Promise.all(
    styles.map(
      (style) =>
        new Promise((resolve, reject) => {
          const copy = document.importNode(style)
          copy.addEventListener('load', resolve)
          copy.addEventListener('error', reject)
          document.head.append(copy)
        }),
    ),
  )
  return page
}

/** Puts the page in the place of the one that is shown. */
export function showPage(page: Document): void {
  const [before, after] = [inHead(document), inHead(page)]
  const gone = lacking(before, after)
  document.head.append(...lacking(after, before))
  for (const element of gone) element.remove()
  const { lang, dir } = page.documentElement
  Object.assign(document.documentElement, { lang, dir })
  document.body.replaceWith(page.body)
}

const announcer = document.createElement('p')
announcer.setAttribute('aria-live', 'assertive')
announcer.style.cssText = 'position:absolute;top:0;clip-path:inset(50%);overflow:hidden;white-space:nowrap'

/** Announces the new page to screen readers. */
export function announce(): void {
  // beside the body, which changes with the page
  document.documentElement.append(announcer)
  announcer.textContent = document.title
  const start =
    document.querySelector<HTMLElement>('main h1') || document.querySelector('main') || document.body
  start.tabIndex = -1
  start.focus({ preventScroll: true })
}
