import { initialised, type InitOptions, optionsOfSite, optionsOfTag } from './options'
import { openTracker, type Tracker } from './tracker'

type Words = Parameters<Tracker>

interface Plausible extends Tracker {
  /** Calls that were made before the script was there. */
  q?: Words[]
  /** The options given to `init` before the script loaded. */
  o?: InitOptions
  init?: (options?: InitOptions) => void
  l?: boolean
}

const page = window as { plausible?: Plausible }

/** Put in place by the server, which knows by which name the script was asked for. */
const variant = '__TILTH_VARIANT__' as unknown as { site?: string; extensions?: readonly string[] }

function begin(options: Parameters<typeof openTracker>[0], calls: Words[]): void {
  const plausible: Plausible = openTracker(options)
  plausible.l = true
  plausible.init = () => undefined
  page.plausible = plausible
  for (const words of calls) plausible(...words)
}

/** The stub remembers whether `init` was called; where it was not yet, it will be. */
function awaitInit(site: string): void {
  const early = page.plausible
  const options = optionsOfSite(site)
  const init = (told: InitOptions = {}): void => begin(initialised(options, told), page.plausible?.q ?? [])
  if (early?.o) return init(early.o)
  const waiting: Plausible = early ?? ((...words: Words) => void (waiting.q ??= []).push(words))
  waiting.init = init
  page.plausible = waiting
}

if (!page.plausible?.l) {
  if (variant.site === undefined) begin(optionsOfTag(variant.extensions ?? []), page.plausible?.q ?? [])
  else awaitInit(variant.site)
}
