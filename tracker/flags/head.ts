import { showAs, undecidedElements } from './flag-elements'

// it stands in the head of pages: while the rest is parsed, elements get the values that the last page kept, before
// they are painted
try {
  const { until, flags } = JSON.parse(localStorage.tilth_flags)
  const known = new Map<unknown, unknown>(flags)
  if (until > Date.now())
    new MutationObserver(() => {
      for (const element of document.querySelectorAll<HTMLElement>(undecidedElements)) {
        const value = known.get(element.dataset.tilthFlag)
        // oxlint-disable-next-line eqeqeq -- a byte less
        if (value != null) showAs(element, value)
      }
    }).observe(document, { childList: true, subtree: true })
} catch {
  // nothing is kept
}
