'use client'

import { lazyPanel } from '#studio/parts/lazy-panel'

/** Loaded only before the first event of a project. */
export const LazyFirstEventRefresh = lazyPanel(
  async () => (await import('./FirstEventRefresh')).FirstEventRefresh,
)

/** Loaded on Home only before the first event. */
export const LazyWaitingPanel = lazyPanel(
  async () => (await import('./WaitingPanel')).WaitingPanel,
  'h-96 w-full',
)
