/** Calls `moved` whenever a site moves on without loading a page: by `pushState`, `replaceState`, or back and forth. */
export function watchNavigation(moved: () => void): void {
  for (const change of ['pushState', 'replaceState'] as const) {
    const original = history[change]
    history[change] = (...state) => {
      original.apply(history, state)
      moved()
    }
  }
  addEventListener('popstate', moved)
}
