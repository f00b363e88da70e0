/** The time that a visitor spent on a page, and the depth to which they scrolled. */
interface Engagement {
  /** Returns the values since the last call, and starts anew. */
  told(): { engagedMs: number; scrollDepth: number }
  reset(): void
}

/** Time counts while the visitor works in the window of the page. */
export function watchEngagement(): Engagement {
  let engaged = 0
  let since = 0
  let depth = 0
  const tick = (): void => {
    const now = performance.now()
    if (since) engaged += now - since
    since = document.hasFocus() ? now : 0
  }
  const look = (): void => {
    const seen = ((scrollY + innerHeight) / document.documentElement.scrollHeight) * 100
    if (Number.isFinite(seen)) depth = Math.max(depth, Math.min(100, Math.round(seen)))
  }
  for (const change of ['visibilitychange', 'focus', 'blur']) addEventListener(change, tick)
  addEventListener('scroll', look)
  tick()
  return {
    told() {
      tick()
      look()
      const told = { engagedMs: Math.round(engaged), scrollDepth: depth }
      engaged = 0
      return told
    },
    reset() {
      depth = 0
      tick()
    },
  }
}
