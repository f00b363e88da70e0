import type { Options } from './options'
import type { Tracker } from './tracker'

/** Clicks and sent forms that the options ask for. */
export function watchInteractions(options: Options, track: Tracker): void {
  const clicked = ({ target, button, type }: MouseEvent): void => {
    // auxclick is the middle button, and the right one, which only opens a menu
    if (!(target instanceof Element) || (type === 'auxclick' && button !== 1)) return
    const tagged = options.taggedEvents ? taggedAround(target) : undefined
    if (tagged && !tagged.matches('form')) return trackTagged(tagged, track)
    const link = target.closest<HTMLAnchorElement>('a[href]')
    if (link) trackLink(link, options, track)
  }
  const submitted = ({ target }: Event): void => {
    if (!(target instanceof Element)) return
    const tagged = options.taggedEvents ? taggedAround(target) : undefined
    if (tagged?.matches('form')) trackTagged(tagged, track)
    else if (options.formSubmissions) track('Form: Submission')
  }
  document.addEventListener('click', clicked, true)
  document.addEventListener('auxclick', clicked, true)
  document.addEventListener('submit', submitted, true)
}

function trackLink(
  { href, host, origin, pathname, protocol }: HTMLAnchorElement,
  options: Options,
  track: Tracker,
): void {
  if (!/^https?:$/.test(protocol)) return
  const type = /\.(\w+)$/.exec(pathname)?.[1]?.toLowerCase()
  if (options.fileDownloads && type !== undefined && options.fileTypes.includes(type))
    track('File Download', { props: { url: origin + pathname } })
  else if (options.outboundLinks && host !== location.host)
    track('Outbound Link: Click', { props: { url: href } })
}

/** Classes may stand on what is around a button that a page builder made. */
const furthestUp = 3

function taggedAround(element: Element): Element | undefined {
  let candidate: Element | null = element
  for (let i = 0; candidate && i <= furthestUp; i++) {
    if (partsOf(candidate).some(([kind, key]) => kind === 'event' && key === 'name')) return candidate
    candidate = candidate.parentElement
  }
  return undefined
}

type Part = [kind: string, key: string, value: string]

/** `plausible-event-name=Sign+Up` or, where a site builder allows no `=`, `plausible-event-name--Sign+Up`. */
function partsOf({ classList }: Element): Part[] {
  return [...classList].flatMap((name): Part[] => {
    const match = /^plausible-(event|revenue)-(.+?)(?:=|--)(.*)$/.exec(name)
    return match ? [[match[1] ?? '', match[2] ?? '', (match[3] ?? '').replaceAll('+', ' ')]] : []
  })
}

function trackTagged(element: Element, track: Tracker): void {
  const parts = partsOf(element)
  const of = (wanted: string): Record<string, string> =>
    Object.fromEntries(parts.filter(([kind]) => kind === wanted).map(([, key, value]) => [key, value]))
  const { name = '', ...props } = of('event')
  const { amount, currency } = of('revenue')
  const href = element.closest<HTMLAnchorElement>('a[href]')?.href
  track(name, {
    props: href === undefined ? props : { ...props, url: href },
    ...(amount && currency && { revenue: { amount, currency } }),
  })
}
