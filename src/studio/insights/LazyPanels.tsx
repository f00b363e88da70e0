'use client'

import { lazyPanel } from '#studio/parts/lazy-panel'

/** Loaded when a saved insight is edited, not when it is looked at. */
export const LazyBuilder = lazyPanel(async () => (await import('./Builder')).Builder, 'h-96 w-full')

/** Below the chart, and loaded after it. */
export const LazyInsightHistory = lazyPanel(
  async () => (await import('./InsightHistory')).InsightHistory,
  'h-24 w-full',
)
