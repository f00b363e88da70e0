'use client'

import { lazyPanel } from '#studio/parts/lazy-panel'

/** Loaded only before the first event of a project. */
export const LazyFirstEventRefresh = lazyPanel(
  async () => (await import('./FirstEventRefresh')).FirstEventRefresh,
)

/** Loaded on the page of the first visit only. */
export const LazyFirstVisitEvents = lazyPanel(
  async () => (await import('./first-visit/FirstVisitEvents')).FirstVisitEvents,
  'h-96 w-full',
)

/** Loaded on Home only before the first event. */
export const LazyWaitingPanel = lazyPanel(
  async () => (await import('./WaitingPanel')).WaitingPanel,
  'h-96 w-full',
)
