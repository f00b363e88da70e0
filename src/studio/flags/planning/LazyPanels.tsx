'use client'

import { lazyPanel } from '#studio/parts/lazy-panel'

/** Below the rules of a flag, and loaded after them. */
export const LazySchedulePanel = lazyPanel(
  async () => (await import('./SchedulePanel')).SchedulePanel,
  'h-40 w-full',
)

/** Below the rules of a flag, and loaded after them. */
export const LazyGuardPanel = lazyPanel(async () => (await import('./GuardPanel')).GuardPanel, 'h-40 w-full')
