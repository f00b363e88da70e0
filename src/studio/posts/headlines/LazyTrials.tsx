'use client'

import { lazyPanel } from '#studio/parts/lazy-panel'

/** Loaded when the headlines are shown, not with every opened post. */
export const LazyNewTrial = lazyPanel(async () => (await import('./NewTrial')).NewTrial, 'h-96 w-full')

/** Loaded when the headlines are shown, not with every opened post. */
export const LazyRunningTrial = lazyPanel(
  async () => (await import('./RunningTrial')).RunningTrial,
  'h-96 w-full',
)
