import type { Tilth } from '../tilth'
import type { CallWords, FlagCalls } from '../flags/flags'
import { script, store } from './delivery'
import { distinctId, manual, on, project, record, tilth, turnPage, watchPage } from './page'

/** The address of the part that decides flags, below the script's own: set by the build. */
declare const FLAGS_PART: string

/** Calls the part that decides flags, which pages without any go without. Without an answer the page stays as it is. */
const ask =
  (name: keyof FlagCalls) =>
  // what it answers with is checked where the part is
  // oxlint-disable-next-line no-explicit-any
  (...words: CallWords): Promise<any> =>
    // the browser loads a module once
    import(new URL(FLAGS_PART, script.src).href).then(
      (part: FlagCalls) => part[name](words, project, store, record, () => distinctId),
      () => {},
    )

/** Apps that draw their pages in the browser say by the tag that there will be flags. */
const lookForFlags = (): unknown =>
  document.querySelector('[data-tilth-flag],script[data-flags]') && ask('look')()

/** Calls from before the script was there. */
const { q: calls } = window.tilth ?? { q: [] }
// a second tag would count everything twice
if (calls) {
  const own: Tilth = (window.tilth = { ...tilth, flag: ask('flag'), payload: ask('payload') })
  // single-page sites move on without loading a page
  for (const change of ['pushState', 'replaceState'] as const) {
    const original = history[change]
    history[change] = (...state) => {
      original.apply(history, state)
      turnPage()
    }
  }
  on('popstate', () => turnPage())
  watchPage(() => manual === undefined, true)
  // each is a name of ours with what it is called with: together they fit, which the compiler cannot see
  for (const [name, ...words] of calls) (own[name] as (...words: unknown[]) => void)(...words)
  lookForFlags()
  on('load', lookForFlags)
}
