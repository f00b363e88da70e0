import type { TilthCall } from '../tilth'
import { manual, on, tilth, turnPage, watchPage } from './page'

function start(calls: TilthCall[] = []): void {
  window.tilth = tilth
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
  for (const [name, ...words] of calls) (tilth[name] as (...words: unknown[]) => void)(...words)
}

const early = window.tilth
// a second tag would count everything twice
if (!early || early.q) start(early?.q)
